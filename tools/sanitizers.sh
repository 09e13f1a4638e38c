#!/usr/bin/env bash
# tools/sanitizers.sh concurrency      the rooms of tests whose code shares writes between threads
# tools/sanitizers.sh changed COMMIT   the other rooms that the commits since COMMIT touched, and the fuzzers with the parsers
# tools/sanitizers.sh room PRESET ROOM one room; the room `fuzz` is the fuzzers
# tools/sanitizers.sh all              every room, and the fuzzers
#
# Builds the rooms' tests with preset asan (address and undefined-behaviour sanitizers) and preset tsan (ThreadSanitizer) and runs them in
# their short form: one seed, 7 threads. A failing sanitizer ends the process, so that its test fails. Tests that provoke other
# interleavings of threads are left to `make test` (COPSE_TEST_INSTRUMENTS): ThreadSanitizer reports a race in whatever order it happens.
# docs/decisions/what_the_sanitizers_run.md says why these rooms.
set -euo pipefail
cd "$(dirname "$0")/.."
asan_rooms=(unit oracle sweep forest bridges weighted clusters fast choose list_ranking tree hybrid io gen streaming incremental dynamic partial c cli)
tsan_rooms=(unit neighbour sweep forest bridges weighted clusters fast choose list_ranking tree hybrid streaming incremental dynamic partial)
tsan_always=(neighbour fast streaming incremental)
passed_file=${XDG_CACHE_HOME:-$HOME/.cache}/copse/sanitized  # preset, room, and when it passed last: a line for each pass

# both A B: the words that are in both lists; without A B: those of A that are not in B.
both() { comm -12 <(tr ' ' '\n' <<<"$1" | sort) <(tr ' ' '\n' <<<"$2" | sort) | xargs; }
without() { comm -23 <(tr ' ' '\n' <<<"$1" | sort) <(tr ' ' '\n' <<<"$2" | sort) | xargs; }

# A room of tests has changed when a word of the path of a changed file is its name, or one of these names of its code.
changed_rooms() {
  git diff --name-only "$1" -- '*.hpp' '*.cpp' '*.h' '*.c' | tr '/._' '\n' | sort -u | sed -E '
    s/^(core|graph|loops|parents|accessors)$/unit/
    s/^verify$/oracle/
    s/^(sample|finish|variants|rules)$/sweep/
    s/^(spanning|rooting)$/forest/
    s/^(hierarchy|thresholds?|dendrogram)$/weighted/
    s/^(list|lists|ranks?)$/list_ranking/
    s/^(euler|rooted)$/tree/
    s/^(groups?|edge)$/streaming/
    s/^(live|batch)$/incremental/
    s/^arrow$/c/
    s/^merge$/partial/
    s/^cluster$/clusters/
    s/^(comparison|contingency)$/unit/
    s/^io$/io\nfuzz/' | sort -u | xargs
}

# tested PRESET ROOMS: builds and runs the tests of these rooms, and nothing else.
tested() {
  local preset=$1 rooms
  read -ra rooms <<<"$2"
  ((${#rooms[@]})) || return 0
  tools/build.sh "$preset" "${rooms[@]/#/tests_}"
  COPSE_SWEEP=quick tools/test.sh "$preset" -L "^($(IFS='|' && echo "${rooms[*]}"))\$"
}

fuzzed() {
  tools/build.sh asan tests_fuzz
  ctest --preset asan -L '^fuzz$' --parallel "$(nproc)" --no-tests=error --verbose
}

# Lines of a preset and a room, the one that passed longest ago first: a run that is stopped has done what waited longest.
oldest_first() {
  local preset room
  while read -r preset room; do
    echo "$(sed -n "s/^$preset $room //p" "$passed_file" 2>/dev/null | tail -n 1) $preset $room"
  done | sort -n -s | awk '{ print $(NF - 1), $NF }'
}

case ${1:-} in
  concurrency)
    tested tsan "${tsan_always[*]}"
    ;;
  changed)
    rooms=$(changed_rooms "${2:?COMMIT}")
    mkdir -p "$(dirname "$passed_file")"
    mapfile -t due < <({
      printf 'asan %s\n' $(both "${asan_rooms[*]} fuzz" "$rooms")
      printf 'tsan %s\n' $(without "$(both "${tsan_rooms[*]}" "$rooms")" "${tsan_always[*]}")
    } | awk 'NF == 2' | oldest_first)
    failed=()
    for line in "${due[@]}"; do
      # A process of its own, as a function that is part of a condition does not stop at its first error.
      if tools/sanitizers.sh room $line; then echo "$line $(date +%s)" >>"$passed_file"; else failed+=("$line"); fi
    done
    ((${#failed[@]} == 0)) || { printf 'FAILED: %s\n' "${failed[@]}" && exit 1; }
    ;;
  room)
    if [[ $3 == fuzz ]]; then fuzzed; else tested "$2" "$3"; fi
    ;;
  all)
    tested asan "${asan_rooms[*]}"
    fuzzed
    tested tsan "${tsan_rooms[*]}"
    ;;
  *)
    sed -n '2,5s/^# //p' "$0"
    exit 2
    ;;
esac
