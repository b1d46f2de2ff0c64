import { shellWord } from '../../platform/core/shell-word.ts'
import { appliedPath } from '../../schemas/sync/applied-source.ts'

/** Command that makes the next run of a source, without its options. */
export function reconcileCommand(source: string): string {
  const path = appliedPath(source)
  return path === null ? `svc reconcile --source ${shellWord(source)}` : `svc reconcile ${shellWord(path)} --prune`
}
