// The commands as the build puts them into one script, each loaded when it is asked for.
import type { ProgramSpec } from '../program.ts'

export { buildProgram, runProgram } from '../program.ts'

export const programs = {
  svc: async (): Promise<ProgramSpec> => (await import('../svc/commands.ts')).svc,
  agent: async (): Promise<ProgramSpec> => (await import('../agent/commands.ts')).agent,
  doc: async (): Promise<ProgramSpec> => (await import('../agent/doc/program.ts')).docProgram,
}
