// The `agent` command.
import { runCommand } from './script/commands.ts'

await runCommand('agent', process.argv.slice(2))
