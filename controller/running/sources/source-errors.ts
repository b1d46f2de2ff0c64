// Why a source is not taken as it is, in words.
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import type { DesiredState } from '../../reading/desired.ts'
import type { SourceState } from './source-state.ts'

/** The first faults of what was read, and what is in force in its place. */
export function firstFaults(read: DesiredState): string {
  const errors = read.diagnostics.filter((diagnostic) => diagnostic.severity === 'error')
  if (read.attempted === undefined)
    return `${shownFaults(errors)}; nothing is pruned, the last good state stays in force`
  const inForce = read.revision === '' ? 'nothing is in force yet' : `commit ${read.revision} stays in force`
  return `commit ${read.attempted} is not taken: ${shownFaults(errors)}; nothing is pruned, ${inForce}`
}

export function shownFaults(faults: readonly Diagnostic[]): string {
  const shown = faults.slice(0, 3).map((fault) => `${fault.file}:${fault.line}:${fault.column}: ${fault.message}`)
  return `${shown.join('; ')}${faults.length > 3 ? `; and ${faults.length - 3} more` : ''}`
}

/** All that keeps the last pass from having taken the source as it is, in words; null when nothing does. */
export function errorOf(
  { name, reader, error, planFaults, held, orphaned }: SourceState,
  owned: number,
): string | null {
  const orphan = `source ${name} is configured no more and still owns ${owned === 1 ? '1 resource' : `${owned} resources`}, which nothing changes or deletes: svc sources adopt ${name} --into SOURCE hands them over, svc sources forget ${name} leaves them to nobody`
  const all = [orphaned ? orphan : null, error, reader?.remote?.trouble(), planFaults, held]
  const said = [...new Set(all)].filter((each) => each !== null && each !== undefined)
  return said.length > 0 ? said.join('; ') : null
}
