"""What a solution says: hands, parts of ranges, run-outs, differences, and the page of a node."""
