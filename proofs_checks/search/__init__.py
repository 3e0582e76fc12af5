"""The search for counterexamples: problems, rounds of hypothesis, and what comes back."""
