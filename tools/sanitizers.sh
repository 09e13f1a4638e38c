#!/usr/bin/env bash
# tools/sanitizers.sh concurrency      the rooms of tests whose code shares writes between threads
# tools/sanitizers.sh changed COMMIT   the other rooms whose code the commits since COMMIT changed, and the fuzzers with the parsers
# tools/sanitizers.sh rooms COMMIT     prints the presets and rooms that `changed` runs
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

# The code of a file, without comments and blanks. What follows // in a string counts as a comment.
code() { sed 's|//.*||' | tr -d '[:space:]'; }

# The files whose code differs from that of a commit.
changed_files() {
  local file
  git diff --name-only "$1" -- '*.hpp' '*.cpp' '*.h' '*.c' | while read -r file; do
    cmp -s <(git show "$1:$file" 2>/dev/null | code) <([[ ! -f $file ]] || code <"$file") || echo "$file"
  done
}

# A room of tests has changed when a word of the path of a changed file is its name, or one of these names of its code.
changed_rooms() {
  changed_files "$1" | tr '/._' '\n' | sort -u | sed -E '
    s/^(core|graph|loops|parents|accessors)$/unit/
    s/^verify$/oracle/
    s/^(sample|finish|variants|rules)$/sweep/
    s/^(spanning|rooting)$/forest/
    s/^(hierarchy|thresholds?|dendrogram)$/weighted/
    s/^(ranking|ranks?)$/list_ranking/
    s/^(euler|rooted)$/tree/
    s/^(groups?|edge)$/streaming/
    s/^(live|batch)$/incremental/
    s/^arrow$/c/
    s/^merge$/partial/
    s/^cluster$/clusters/
    s/^(comparison|contingency)$/unit/
    s/^io$/io\nfuzz/' | sort -u | xargs
}

build() { local preset=$1; shift; tools/build.sh "$preset" "${@/#/tests_}"; }

# run PRESET ROOM...: runs the tests of these rooms; the fuzzers are a room of their own.
run() {
  local preset=$1
  shift
  if [[ $* == fuzz ]]; then
    ctest --preset asan -L '^fuzz$' --parallel "$(nproc)" --no-tests=error --verbose
  else
    COPSE_SWEEP=quick tools/test.sh "$preset" -L "^($(IFS='|' && echo "$*"))\$"
  fi
}

# lines PRESET ROOMS: a line of the preset and the room for each of them.
lines() { xargs -r -n 1 <<<"$2" | sed "s/^/$1 /"; }

# Lines of a preset and a room for what has changed since a commit, but for those that always run.
due_since() {
  local rooms
  rooms=$(changed_rooms "$1")
  lines asan "$(both "${asan_rooms[*]} fuzz" "$rooms")"
  lines tsan "$(without "$(both "${tsan_rooms[*]}" "$rooms")" "${tsan_always[*]}")"
}

# Lines of a preset and a room, the one that passed longest ago first: a run that is stopped has done what waited longest.
oldest_first() {
  local preset room
  while read -r preset room; do
    echo "$(sed -n "s/^$preset $room //p" "$passed_file" 2>/dev/null | tail -n 1) $preset $room"
  done | sort -n -s | awk '{ print $(NF - 1), $NF }'
}

# each_room: reads lines of a preset and a room, and builds and tests one after the other, whatever fails. A room is tested while the next
# one is built: the tests of most rooms are one program, which keeps one core busy. What failed is printed once more at the end.
each_room() {
  local due failed=() line running='' log=build/sanitized_room.log failures=build/sanitized_failures.log
  mkdir -p "$(dirname "$passed_file")" build
  : >"$failures"
  # Waits for the tests that run, prints what they printed and notes whether they passed.
  ended() {
    [[ -n $running ]] || return 0
    if wait "$!"; then
      echo "$running $(date +%s)" >>"$passed_file"
    else
      failed+=("$running")
      {
        printf '\n== %s\n' "$running"
        grep -aE -B 3 -A 25 'Failure$|ERROR: |WARNING: ThreadSanitizer|runtime error' "$log" | head -n 60 || true
        tail -n 20 "$log"
      } >>"$failures"
    fi
    printf '\n== %s\n' "$running"
    cat "$log"
    running=''
  }
  mapfile -t due
  # shellcheck disable=SC2086  # a line is two words
  for line in "${due[@]}"; do
    if ! build $line; then
      failed+=("$line")
      continue
    fi
    ended
    run $line >"$log" 2>&1 &
    running=$line
  done
  ended
  ((${#failed[@]} == 0)) || { cat "$failures" && printf 'FAILED: %s\n' "${failed[@]}" && return 1; }
}

case ${1:-} in
  concurrency)
    build tsan "${tsan_always[@]}"
    run tsan "${tsan_always[@]}"
    ;;
  changed)
    each_room < <(due_since "${2:?COMMIT}" | oldest_first)
    ;;
  rooms)
    due_since "${2:?COMMIT}"
    ;;
  room)
    build "$2" "$3"
    run "$2" "$3"
    ;;
  all)
    each_room < <(lines asan "${asan_rooms[*]} fuzz" && lines tsan "${tsan_rooms[*]}")
    ;;
  *)
    sed -n '2,6s/^# //p' "$0"
    exit 2
    ;;
esac
