#!/usr/bin/env bash
# Groups the records of a table that share an email or a phone number, directly or through others. No pair of records is made.
#   group_csv.sh [TABLE [ID [KEYS [LARGEST]]]]      defaults: records.csv record email,phone 1000
set -euo pipefail
table=${1:-records.csv}
id=${2:-record}
keys=${3:-email,phone}
largest=${4:-1000}

# Empty fields and NULL join nothing. A value that very many records have (a phone number of the office, an email of nobody) is no
# evidence: --split leaves it out and lists it. --verify reads the table again and proves the groups before they are written.
copse group "$table" --id "$id" --by "$keys" --na NULL --max-group "$largest" --split -o groups.csv --sizes sizes.csv --top 3 --verify

echo
echo "Groups (id,component):"
cat groups.csv
