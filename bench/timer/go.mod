module valuefold.dev/bench/timer

go 1.26.0
