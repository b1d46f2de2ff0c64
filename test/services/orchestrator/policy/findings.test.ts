// What each list says of a command that it does not let pass: kind, reason and the part it is about.
import { expect, test } from 'vitest'
import type { Finding } from '../../../../services/orchestrator/policy/finding.ts'
import { refusedByAllow } from '../../../../services/orchestrator/policy/shell/allow-list.ts'
import { entryList, readPattern } from '../../../../services/orchestrator/policy/shell/command-patterns.ts'
import { refusedByDeny } from '../../../../services/orchestrator/policy/shell/deny-list.ts'
import { PathLookups } from '../../../../services/orchestrator/policy/real-path.ts'
import { closedUnder } from './closed-under.ts'

const place = { workingDir: '/work/app', home: '/home/me', closed: closedUnder('/home/me') }
const list = (...patterns: string[]) => entryList(patterns.map(readPattern), { ...place, lookups: new PathLookups() })
const allow = (command: unknown) => refusedByAllow(command, list('git log *', 'ls *', 'timeout *'))
const deny = (command: unknown) => refusedByDeny(command, list('git push *', 'rm -rf *', 'cat /etc/passwd'))

type Row = [command: unknown, kind: Finding['kind'], reason: string, part: string]

test.each<Row>([
  ['git log && git push', 'unlisted', 'no entry covers it', 'git push'],
  ['git log $(curl a.example)', 'unclear', 'it contains a value that cannot', 'git log $(curl a.example)'],
  ['ls; eval "$X"', 'unclear', 'it contains a value that cannot', 'eval "$X"'],
  ['timeout --unknown 5 ls', 'unclear', 'the command that timeout runs cannot be determined', 'timeout --unknown 5 ls'],
  ['ls; NODE_OPTIONS=1', 'unlisted', 'it sets a variable that programs may read', 'NODE_OPTIONS=1'],
  ['', 'unlisted', 'it contains no command', ''],
  ["git log 'x", 'unclear', 'it is not a valid shell command', "git log 'x"],
  [{ argv: ['ls'] }, 'unclear', 'its command is not text', '{"argv":["ls"]}'],
  [undefined, 'unclear', 'its command is not text', ''],
  [`ls ${'a '.repeat(2001)}`, 'unclear', 'it has too many words', `ls ${'a '.repeat(58)}a…`],
])('an allow list says of %j: %s', (command, kind, reason, part) => {
  expect(allow(command)).toEqual({ kind, reason: expect.stringContaining(reason) as string, part })
})

test.each<Row>([
  ['ls; git push origin', 'refused', 'an entry covers it', 'git push origin'],
  ['$X; rm -rf x', 'refused', 'an entry covers it', 'rm -rf x'],
  ['git push $X', 'refused', 'an entry covers it', 'git push $X'],
  ['sudo git push', 'refused', 'an entry covers it', 'git push'],
  ['ls; git $X', 'unclear', 'its git subcommand cannot be determined', 'git $X'],
  ['$X y', 'unclear', 'its program cannot be determined', '$X y'],
  ['my-tool a', 'unclear', 'its program is not known, and may run its arguments', 'my-tool a'],
  ['sudo -Z ls', 'unclear', 'the command that sudo runs cannot be determined', 'sudo -Z ls'],
  ['python3 -c "x"', 'unclear', 'code passed to an interpreter cannot be checked', 'python3 -c "x"'],
  ['PATH=x ls', 'unclear', 'it sets a variable that can change which program runs', 'PATH=x ls'],
  ['cd a; echo x > y; cd ..; a/y', 'unclear', 'it writes "a/y" and runs it', 'a/y'],
  ['cd /etc && cat passwd', 'refused', 'an entry covers it', 'cat passwd'],
  ['echo x > y; ./y', 'unclear', 'it writes "./y" and runs it', './y'],
  ["ls 'x", 'unclear', 'it is not a valid shell command', "ls 'x"],
  [{ argv: ['ls'] }, 'unclear', 'its command is not text', '{"argv":["ls"]}'],
  [`ls ${'a '.repeat(2001)}`, 'unclear', 'it has too many words', `ls ${'a '.repeat(58)}a…`],
])('a deny list says of %j: %s', (command, kind, reason, part) => {
  expect(deny(command)).toEqual({ kind, reason: expect.stringContaining(reason) as string, part })
})

test.each(['my-tool', 'ls -l', 'git pull'])(
  'a deny list lets pass a clear command that no entry names: %s',
  (command) => {
    expect(deny(command)).toBeNull()
  },
)
