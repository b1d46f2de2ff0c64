// Runs a command of the script that the build made of them all.
import { createRequire } from 'node:module'
import { VERSION } from '../version.ts'
import { bundled } from './bundled.ts'

/** Name of the script with the commands, as the build put it beside that of the daemon. */
declare const COMMANDS_SCRIPT: string

type Programs = typeof import('./programs.ts')

/** Few commands open a database: its driver is loaded when it is asked for. */
const given = {
  get '@appthreat/sqlite3'(): unknown {
    // An ES module. Early versions of Node 20 warn of one that is required from outside a folder of packages.
    const require = createRequire(new URL('../node_modules/svc/index.cjs', import.meta.url))
    return (require('@appthreat/sqlite3') as { default: unknown }).default
  },
}

/** Runs `name` with the words after it. Where its version is all that is asked for, nothing is loaded. */
export async function runCommand(name: keyof Programs['programs'], words: readonly string[]): Promise<void> {
  const asksVersion = words[0] === '--version' || (name === 'svc' && words[0] === 'version')
  if (words.length === 1 && asksVersion) return void process.stdout.write(`${VERSION}\n`)
  const { programs, runProgram } = bundled<Programs>(new URL(`chunks/${COMMANDS_SCRIPT}`, import.meta.url), given)
  await runProgram(await programs[name](), words)
}
