"""What a run stands on: the environment, the packages, the fingerprint, a cluster."""
