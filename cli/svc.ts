// The `svc` command. `svc version` loads nothing else: it is what scripts call to see whether the program is there.
import { VERSION } from './version.ts'

const words = process.argv.slice(2)
if (words.length === 1 && (words[0] === 'version' || words[0] === '--version')) process.stdout.write(`${VERSION}\n`)
else {
  const [{ runProgram }, { svc }] = await Promise.all([import('./program.ts'), import('./svc/commands.ts')])
  await runProgram(svc, words)
}
