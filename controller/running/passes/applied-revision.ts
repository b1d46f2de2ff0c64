// Whether what is live is as a revision of a source desires it.
import type { Run } from '../../../schemas/run.ts'
import type { PassOptions, Preview } from '../../planning/preview.ts'
import type { Sources } from '../sources/sources.ts'
import type { SourceState } from '../sources/source-state.ts'

/** Records the revision of a pass that found or left nothing to be done. `run`: what it did, if anything. */
export async function recordApplied(
  source: SourceState,
  { preview: { plan, unknown, waiting }, run, options }: { preview: Preview; run: Run | null; options: PassOptions },
  sources: Sources,
): Promise<void> {
  if (!source.reader || plan.revision === null || plan.guard || plan.held || options.targets || options.teardown) return
  if (options.automatic && sources.rulesOf({ source: source.name, sync: {} }).mode === 'manual') return
  if (unknown.length > 0 || waiting.size > 0 || plan.diagnostics.some(({ severity }) => severity === 'error')) return
  if (run === null ? plan.steps.length === 0 : run.status === 'succeeded')
    await sources.converged(source, plan.revision)
}
