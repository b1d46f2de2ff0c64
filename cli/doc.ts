// The `doc` command: `agent doc` by a name of its own.
import type { ProgramSpec } from './program.ts'
import { VERSION } from './version.ts'

const words = process.argv.slice(2)
if (words.length === 1 && words[0] === '--version') process.stdout.write(`${VERSION}\n`)
else {
  const [{ runProgram }, { doc }] = await Promise.all([import('./program.ts'), import('./agent/doc/index.ts')])
  const program: ProgramSpec = {
    name: 'doc',
    description: 'Documents that people and agents keep.',
    commands: doc,
    usual: [
      ['doc list', 'documents, and their tags'],
      ['doc read release-plan', 'one, as it is written'],
      ['doc search rollback', 'those that speak of it'],
    ],
  }
  await runProgram(program, words)
}
