// Where a command may run after the `cd`s before it, by the paths that it is found to reach.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { PathLookups } from '../../../../services/orchestrator/policy/real-path.ts'
import { reachedBy } from '../../../../services/orchestrator/policy/shell/reached-paths.ts'
import { closedUnder } from './closed-under.ts'

const work = realpathSync(mkdtempSync(join(tmpdir(), 'svc-folders-')))
mkdirSync(join(work, 'a', 'b'), { recursive: true })
afterAll(() => rmSync(work, { recursive: true }))
const place = () => ({
  workingDir: work,
  home: '/home/me',
  closed: closedUnder('/home/me'),
  lookups: new PathLookups(),
})
/** The paths called `x`, from the working directory. */
const reached = (command: string) =>
  [...new Set((reachedBy(command, place())?.found ?? []).map(({ path }) => path))]
    .filter((path) => path.endsWith('/x'))
    .map((path) => relative(work, path))

const unclearIn = (command: string) => reachedBy(command, place())!.unclear

test.each<[command: string, paths: string[]]>([
  ['cd a; cat x', ['a/x']],
  ['cd a && cd b && cat ../../x', ['x']],
  ['cd a && cat x; cat ../x', ['a/x', 'x']],
  ['test -d a && cd a; cat x', ['x', 'a/x']],
  ['test -d a || cd a; cat x', ['x', 'a/x']],
  ['cd nowhere; cat x', ['x', 'nowhere/x']],
  ['if true; then cd a; fi; cat x', ['x', 'a/x']],
  ['if cd a; then cat x; else cat x; fi', ['a/x']],
  ['case y in y) cd a;; *) cd a/b;; esac; cat x', ['x', 'a/x', 'a/b/x']],
  ['(cd a; cat x)', ['a/x']],
  ['(cd a); cat x', ['x']],
  ['{ cd a; }; cat x', ['a/x']],
  ['echo $(cd a); cat x', ['x']],
  ['echo ${ cd a; }; cat x', ['x', 'a/x']],
  ['cd a & cat x', ['x']],
  ['echo | cd a; cat x', ['x', 'a/x']],
  ['command cd a; cat x', ['a/x']],
  ['cd a; sh -c "cat ../x"', ['x']],
  ['sh -c "cd a; cat x"; cat x', ['a/x', 'x']],
  ['pushd a; popd; cat x', ['x', 'a/x']],
  ['cd a; cd -; cat x', ['x', 'a/x']],
  ['for d in 1 2; do (cd a; cat x); done', ['a/x']],
  ['cd -- a; cat x', ['a/x']],
  ['cat `cd a; cat x`; cat b/x', ['a/x', 'b/x']],
])('%s', (command, paths) => {
  expect(reached(command).toSorted()).toEqual(paths.toSorted())
  expect(unclearIn(command.replace('`cd a; cat x`', 'y'))).toBeNull()
})

test.each<[command: string, part: string]>([
  ['cd $X; cat x', 'cd $X'],
  ['cd "$(cat y)" && cat x', 'cd "$(cat y)"'],
  ['cd -; cat x', 'cd -'],
  ['popd; cat x', 'popd'],
  ['cd a b; cat x', 'cd a b'],
  ['cd +1; cat x', 'cd +1'],
  ['$X ..; cat x', '$X ..'],
  ['eval "cd a"; cat x', 'eval "cd a"'],
  ['trap "cd a" EXIT; cat x', 'trap "cd a" EXIT'],
  ['while true; do cd a; cat x; done', 'while true; do cd a; cat x; done'],
  ['f() { cd a; }; f; cat x', 'f() { cd a; }; f; cat x'],
  ['cd 1n; cd 2n; cd 3n; cd 4n; cat x', 'cd 4n'],
])('cannot be followed: %s', (command, part) => {
  expect(unclearIn(command)).toEqual({
    kind: 'unclear',
    reason: 'the directory it changes to cannot be determined',
    part,
  })
})

test.each<[command: string, part: string]>([
  ['ls; cat $X', 'cat $X'],
  ['cat src/$X', 'cat src/$X'],
  ['cat y > "$X"', 'cat y > "$X"'],
  ['cat y | xargs rm', 'rm …'],
])('an unknown word may be a path: %s', (command, part) => {
  expect(unclearIn(command)).toMatchObject({
    reason: 'the path it would access cannot be determined before it runs',
    part,
  })
})

test.each(['echo $X', 'printf "%s" "$X"', 'git commit -m "fix: $X"', 'cat a/*', 'ls'])(
  'has no unclear path: %s',
  (command) => expect(unclearIn(command)).toBeNull(),
)

test('says of what cannot be read that its paths are unclear', () => {
  expect(reachedBy("cat 'x", place())).toBeNull()
})
