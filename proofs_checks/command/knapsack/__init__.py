"""`boundlab knapsack`: a backtest on a file of one's own, and a server of decisions."""
