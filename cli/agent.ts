// The `agent` command.
import { VERSION } from './version.ts'

const words = process.argv.slice(2)
if (words.length === 1 && words[0] === '--version') process.stdout.write(`${VERSION}\n`)
else {
  const [{ runProgram }, { agent }] = await Promise.all([import('./program.ts'), import('./agent/commands.ts')])
  await runProgram(agent, words)
}
