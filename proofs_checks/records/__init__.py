"""What is written down: evidence, instances as plain data, replay files, shards."""
