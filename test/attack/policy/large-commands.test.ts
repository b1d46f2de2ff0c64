// Commands near the limit of 64 KiB: each is judged, and quickly.
import { expect, test } from 'vitest'
import { judge, LARGEST_INPUT } from '../../../services/orchestrator/policy/judge.ts'
import { allow, deny } from './corpus/group.ts'
import { closedUnder } from '../../services/orchestrator/policy/closed-under.ts'

const PLACE = { workingDir: '/work/app', home: '/home/me', additionalDirs: ['/'], closed: closedUnder('/home/me') }
const patterns = Array.from({ length: 40 }, (_, at) => `Bash(program${at} *a*b*c*${at})`)
const SECONDS = 2

const COMMANDS: Record<string, string> = {
  'nested substitutions': `${'echo $('.repeat(300)}id${')'.repeat(300)}`,
  'nested subshells': `${'('.repeat(1000)}id${')'.repeat(1000)}`,
  'nested quotes': `${'sh -c "'.repeat(200)}id${'"'.repeat(200)}`,
  braces: `echo ${'{a,b}'.repeat(60)}`,
  'nested braces': `echo ${'{a,'.repeat(500)}b${'}'.repeat(500)}`,
  'here-documents': Array.from({ length: 200 }, (_, at) => `cat <<E${at}\n${'x'.repeat(100)}\nE${at}`).join('\n'),
  '480 commands for 40 patterns': Array.from({ length: 480 }, (_, at) => `program${at} ${'a'.repeat(100)}`).join(';'),
  'scripts of sed': `sed '${'s/a/b/w file;'.repeat(4000)}' x`,
  '500 stars': `cat ${'*a'.repeat(500)}`,
  'one long word': `cat ${'a/'.repeat(30_000)}`,
  pipes: Array.from({ length: 480 }, () => 'cat x').join(' | '),
  variables: `echo ${'${A:-'.repeat(400)}x${'}'.repeat(400)}`,
}

test.each(Object.keys(COMMANDS))(`is judged in less than ${SECONDS} seconds: %s`, (what) => {
  const command = COMMANDS[what]!
  expect(JSON.stringify({ command }).length).toBeLessThan(LARGEST_INPUT)
  for (const policy of [allow(...patterns), deny(...patterns)]) {
    const before = process.cpuUsage()
    judge(policy, 'Bash', { command }, PLACE)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6).toBeLessThan(SECONDS)
  }
  expect(judge(allow(...patterns), 'Bash', { command }, PLACE).decision).toBe('deny')
})
