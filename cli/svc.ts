// The `svc` command. `svc version` loads nothing else: it is what scripts call to see whether the program is there.
import { VERSION } from './version.ts'

/** Name of the script with all that `svc serve` needs, as the build put it beside the chunks. */
declare const DAEMON_SCRIPT: string

interface Program {
  runProgram: typeof import('./program.ts').runProgram
  svc: typeof import('./svc/commands.ts').svc
}

const words = process.argv.slice(2)
if (words.length === 1 && (words[0] === 'version' || words[0] === '--version')) process.stdout.write(`${VERSION}\n`)
else {
  const isDaemon = words.find((word) => !word.startsWith('-')) === 'serve'
  const { runProgram, svc } = isDaemon ? await daemon() : await commands()
  await runProgram(svc, words)
}

async function commands(): Promise<Program> {
  const [program, all] = await Promise.all([import('./program.ts'), import('./svc/commands.ts')])
  return { runProgram: program.runProgram, svc: all.svc }
}

async function daemon(): Promise<Program> {
  const [{ bundled }, { growSlowly }, { default: sqlite }] = await Promise.all([
    import('../daemon/bundled.ts'),
    import('../daemon/memory.ts'),
    import('@appthreat/sqlite3') as unknown as Promise<{ default: unknown }>,
  ])
  growSlowly()
  return bundled<Program>(new URL(`chunks/${DAEMON_SCRIPT}`, import.meta.url), { '@appthreat/sqlite3': sqlite })
}
