// Words that are known though they are written with an expansion, and words that are harmless though they are not.
import { expect, test } from 'vitest'
import { refusedByAllow } from '../../../../services/orchestrator/policy/shell/allow-list.ts'
import { entryList, readPattern } from '../../../../services/orchestrator/policy/shell/command-patterns.ts'
import { refusedByDeny } from '../../../../services/orchestrator/policy/shell/deny-list.ts'
import { reachedBy } from '../../../../services/orchestrator/policy/shell/reached-paths.ts'
import { PathLookups } from '../../../../services/orchestrator/policy/real-path.ts'
import { closedUnder } from './closed-under.ts'

const place = () => ({
  workingDir: '/work/app',
  home: '/home/me',
  closed: closedUnder('/home/me'),
  lookups: new PathLookups(),
})
const list = (entries: string) =>
  entryList(
    entries.split(' ').map((name) => readPattern(`${name} *`)),
    place(),
  )
const READS = 'git cat head wc echo grep ls find sort diff read xargs [ test printf jq sed rg basename kill sleep cd rm'
const allow = (command: string) => refusedByAllow(command, list(READS))
const deny = (command: string) => refusedByDeny(command, list('sudo'))

const unclearIn = (command: string) => reachedBy(command, place())!.unclear

test.each([
  // Values that are written out.
  'git log $HOME',
  'cat "$PWD/a"',
  'git commit -m "$(cat <<\'EOF\'\nfix: a\nEOF\n)"',
  'cat "$(pwd)/a"',
  'FILE=a; wc -l "$FILE"',
  'FILE=a && git log $FILE',
  'for f in a b; do git log "$f"; done',
  'for f in {1..20}; do git log "$f"; done',
  // Text, to programs that only print it.
  'echo "exit: $?"',
  'echo ${PIPESTATUS[0]} $! $PATH "${X:-none}"',
  'echo "$(git branch --show-current)"',
  'VERSION=$(jq -r .version package.json); echo "$VERSION"',
  'printf "%s: %s\\n" "$X" "$(git log)"',
  '[ -n "$X" ] && echo yes',
  '[ "$X" = a ] || echo no',
  '[[ -f $X && $X == a* ]] && echo yes',
  'case "$X" in a) echo b;; esac',
  // Numbers.
  'echo $((12 * 60))',
  'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i+1)); done',
  'for ((n=0;n<3;n++)); do echo $n; done',
  'sleep 9 & PID=$!; kill $PID',
  '[ $? -eq 0 ] && echo ok',
  // Names in the directories, to programs that only read files.
  'wc -l $(git diff --name-only)',
  'for f in src/*.ts; do head -5 "$f"; done',
  'for f in *.json; do wc -l "$f"; done',
  'for f in $(git ls-files | grep test | head -3); do grep -n x "$f"; done',
  'git ls-files | while read -r f; do wc -l "$f"; done',
  'while read -r f; do cat "$f"; done < <(git ls-files)',
  'find . | while read -r -d \'\' f; do cat "$f"; done',
  'find . -name a | xargs grep -l x',
  'find src -name a | sort | xargs -n 1 cat',
  'find src -name a -exec wc -l {} +',
  'for f in src/*.ts; do cat "${f%.ts}.md"; done',
  'cat "$(basename a/b)"',
  'diff <(sort a) <(sort b)',
  'ls *.json',
  'wc -l .[dev]',
  'FILE=a; echo "${FILE:0:1}"',
  'echo "${HOME@Q}" "${HOME: -3}"',
  'grep -rn x --include=*.ts .',
  'for f in $(git ls-files); do rm -- "$f"; done',
])('is covered by entries that cover its parts, and has no unclear path: %s', (command) => {
  expect(allow(command)).toBeNull()
  expect(deny(command)).toBeNull()
  expect(unclearIn(command)).toBeNull()
})

test.each([
  // Values that may be others by then.
  'FILE=a; read FILE; cat $FILE',
  'FILE=a; read FIL""E; cat $FILE',
  'FILE=a; printf -v FILE x; cat $FILE',
  'FILE=a; printf "-vFI"LE x; cat $FILE',
  'FILE=a; eval "$X"; cat $FILE',
  'FILE=a; . ./x; cat $FILE',
  'FILE=a; FILE=b; cat $FILE',
  'FILE=a; : ${FILE:=b}; unset FILE; cat $FILE',
  'if [ -f a ]; then FILE=a; fi; cat $FILE',
  '[ -f a ] && FILE=a; cat $FILE',
  'cat $FILE; FILE=a',
  '(FILE=a); cat $FILE',
  'echo | FILE=a; cat $FILE',
  'f() { FILE=a; }; cat $FILE',
  'f() { read FIL""E; }; FILE=a; f; cat $FILE',
  "trap 'read FIL\\E' DEBUG; FILE=a; cat $FILE",
  '$(echo trap) x DEBUG; FILE=a; cat $FILE',
  'while true; do FILE=a; cat $FILE; . ./x; done',
  'FILE=a cat $FILE',
  'FILE+=a; cat $FILE',
  'FILE="a b"; cat $FILE',
  'for f in a; do cat x; done; cat $f',
])('has a variable that is not known: %s', (command) => {
  expect(unclearIn(command)).not.toBeNull()
})

test.each([
  // Names of unknown origin, and programs that do more than read.
  'cat $(echo /etc/passwd)',
  'cat $(cat list)',
  'cat $(git diff --name-only --line-prefix=/etc/)',
  'cat $(grep -l x --label=/etc/passwd -)',
  'cat $(find . -printf /etc/passwd)',
  'cat $(find $X)',
  'cat $(find . -name a)/../../x',
  'cat $(git ls-files | sed s,^,/etc/,)',
  'cat $(git ls-files; echo /etc/passwd)',
  'sed -n 1p $(git ls-files)',
  'git log $(git ls-files)',
  'cat $(ls -a)',
  'cat $(dirname "$PWD")',
  'cat $(basename a/..)',
  'for f in $(find "$PWD"); do cat "${f%/*}"; done',
  'IFS=x; cat $(git ls-files)',
  'find . | xargs -dx cat',
  'find . | while IFS=x read -r a b; do cat "$b"; done',
  'find . | while read -r a b; do cat "$b"; done',
  'find . | while read -r -d x f; do cat "$f"; done',
  'ls | xargs rm',
  'find . | xargs -I{} rm x{}',
  'ls | xargs -a x cat',
  'for f in $(ls); do rm "$f"; done',
  'git ls-files | { read f < /dev/null; cat $f; }',
  'git log *',
  // Text that is evaluated.
  'x="a[$(ls)]"; echo $((x))',
  'x="a[1]"; [[ $x -eq 1 ]]',
  'i=0; read i; echo $((i))',
  '[ $(cat x) ]',
  '[ -v "$X" ]',
  'test "$X"',
  'printf "$X"',
  'printf "%d" "$X"',
  'A[$X]=1; echo',
])('is not covered: %s', (command) => {
  expect(allow(command)).not.toBeNull()
})

test.each(['X=push; sudo $X', 'X=sudo; $X ls', 'for x in ls sudo; do $x a; done', 'echo "$(sudo ls)"'])(
  'a deny list names a command by its value: %s',
  (command) => expect(deny(command)).toMatchObject({ kind: 'refused' }),
)

test.each<[command: string, path: string]>([
  ['X=/etc/passwd; cat $X', '/etc/passwd'],
  ['for f in /etc/passwd; do cat "$f"; done', '/etc/passwd'],
  ['for f in /etc/*; do cat "$f"; done', '/etc'],
  ['cd src && cat "$PWD/../../x"', '/work/x'],
  ['cat */../../x', '/work/x'],
  ['cat .*/x', '/work/x'],
  ['ls .?', '/work'],
  ['ls src/.*', '/work'],
  ['grep -f /etc/passwd x', '/etc/passwd'],
  ['sed -nf /etc/x y', '/etc/x'],
  ['perl /etc/x.pl', '/etc/x.pl'],
  ['wc --files0-from=list', ''],
])('is found to reach a path by its value: %s', (command, path) => {
  const unclear = unclearIn(command)
  expect(unclear !== null || reachedBy(command, place())?.found.some((each) => each.path === path)).toBe(true)
})

test.each([
  'echo "$X"',
  'printf "%s" "$(git log)"',
  '[ -n "$X" ] && ls',
  'diff <(sort a) <(sort b)',
  'echo $((1 + 2))',
])('a deny list does not compare text with its patterns: %s', (command) =>
  expect(refusedByDeny(command, entryList([readPattern('* .env')], place()))).toBeNull(),
)

test.each(['cat $(git ls-files)', 'cat src/*', 'git ls-files | xargs cat'])(
  'a deny list compares names of files with its patterns: %s',
  (command) =>
    expect(refusedByDeny(command, entryList([readPattern('* .env')], place()))).toMatchObject({ kind: 'unclear' }),
)
