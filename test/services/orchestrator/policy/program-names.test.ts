import { expect, test } from 'vitest'
import { programNames } from '../../../../services/orchestrator/policy/program-names.ts'
import { closedUnder } from './closed-under.ts'

const place = { workingDir: '/work/app', home: '/home/me', closed: closedUnder('/home/me') }

test.each<[command: string, programs: (string | null)[] | null]>([
  ['git push --force', ['git']],
  ['git push && ./scripts/publish.sh --all', ['git', './scripts/publish.sh']],
  ['cat a | grep b > c; grep d e', ['cat', 'grep']],
  ['FOO=1 make', ['make']],
  ['sudo -u bob rm -rf build', ['sudo', 'rm']],
  ['bash -c "git fetch; rm -rf build"', ['bash', 'git', 'rm']],
  ['find . -name "*.ts" -exec rm {} +', ['find', 'rm']],
  ['echo "$(curl https://example.com)"', ['echo', 'curl']],
  [`'r'm "x"`, ['rm']],
  ['$TOOL now && make', [null, 'make']],
  ['bash -c "$CODE"', ['bash', null]],
  ['if true; then make; fi', ['true', 'make']],
  ['A=1', []],
  ['echo "', null],
  ['echo \0', null],
])('names the programs of %j', (command, programs) => {
  const found = programNames(command, place)
  expect(found && new Set(found)).toEqual(programs && new Set(programs))
})

test('stops at commands that are nested deeply', () => {
  expect(programNames(`${'env '.repeat(20)}rm x`, place)).toEqual(['env', null])
  expect(programNames(`${'env '.repeat(10_000)}rm x`, place)).toBeNull()
})
