import { endOnLostOutput } from './output/lost-output.ts'
import type { ProgramSpec } from './program.ts'
import { VERSION } from './version.ts'

const programs = {
  svc: async (): Promise<ProgramSpec> => (await import('./svc/commands.ts')).svc,
  agent: async (): Promise<ProgramSpec> => (await import('./agent/commands.ts')).agent,
  doc: async (): Promise<ProgramSpec> => (await import('./agent/doc/program.ts')).docProgram,
}

/** Runs a command. Prints the version without loading more, because scripts poll it. */
export async function run(name: keyof typeof programs, words: readonly string[]): Promise<void> {
  endOnLostOutput()
  const asksVersion = words[0] === '--version' || (name === 'svc' && words[0] === 'version')
  if (words.length === 1 && asksVersion) return void process.stdout.write(`${VERSION}\n`)
  const [{ runProgram }, program] = await Promise.all([import('./program.ts'), programs[name]()])
  await runProgram(program, words)
}
