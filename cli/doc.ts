// The `doc` command: `agent doc` by a name of its own.
import { runCommand } from './script/commands.ts'

await runCommand('doc', process.argv.slice(2))
