// The `svc` command. `svc version` loads nothing else: it is what scripts call to see whether the program is there.
import { bundled } from './script/bundled.ts'
import { runCommand } from './script/commands.ts'

/** Name of the script with all that `svc serve` needs, as the build put it beside the chunks. */
declare const DAEMON_SCRIPT: string

interface Program {
  runProgram: typeof import('./program.ts').runProgram
  svc: typeof import('./svc/commands.ts').svc
}

/** They open the database. */
const OF_THE_DAEMON = new Set(['serve', 'doctor'])

const words = process.argv.slice(2)
if (OF_THE_DAEMON.has(words.find((word) => !word.startsWith('-')) ?? '')) {
  const { runProgram, svc } = await daemon()
  await runProgram(svc, words)
} else await runCommand('svc', words)

async function daemon(): Promise<Program> {
  const [{ growSlowly }, { default: sqlite }] = await Promise.all([
    import('../daemon/memory.ts'),
    import('@appthreat/sqlite3') as unknown as Promise<{ default: unknown }>,
  ])
  growSlowly()
  return bundled<Program>(new URL(`chunks/${DAEMON_SCRIPT}`, import.meta.url), { '@appthreat/sqlite3': sqlite })
}
