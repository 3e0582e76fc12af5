"""The registered claims, one package a topic; each exports `CLAIMS`."""
