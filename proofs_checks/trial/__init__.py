"""Inside a trial: shards of single comparisons, and the tables that they make."""
