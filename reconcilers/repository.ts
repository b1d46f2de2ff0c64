import {
  byController,
  AmbiguousError,
  type Health,
  type Observed,
  type Reconciler,
  type Step,
} from '../controller/reconciler.ts'
import { repositoryKind, type RepositorySpec } from '../schemas/repository.ts'
import type { CodeIndex, DeclaredRepositories, InspectedRepository } from '../services/code-index/face.ts'
import { NO_CONTEXT, movementOf, orMissing, orMoved, refuseGone, seenBy, written } from './service-calls.ts'

export function repositoryReconciler({
  declared,
}: Pick<CodeIndex, 'declared'>): Reconciler<RepositorySpec, InspectedRepository> {
  return {
    definition: repositoryKind,
    observe: async ({ name, liveId }) => {
      const inspected = liveId ? await orMissing(declared.inspect(liveId)) : onlyOne(name, await declared.find(name))
      return inspected && observed(inspected)
    },
    observeAll: async () => (await declared.inspectAll()).map(observed),
    apply: async (step) => {
      await converge(declared, step)
      return { liveId: step.liveId, spec: observed(await declared.inspect(step.liveId)).spec }
    },
    remove: async ({ liveId }, requestId) => {
      await orMissing(declared.remove(liveId, byController(requestId)))
    },
    health: healthOf,
    interrupts: () => null,
    writer: (liveId, path) => declared.writer(liveId, path),
    changes: (listener, since) => declared.changes((change) => listener(movementOf(change)), since),
  }
}

function onlyOne(name: string, found: readonly InspectedRepository[]): InspectedRepository | null {
  if (found.length <= 1) return found[0] ?? null
  const ids = found.map(({ repository }) => repository.id).join(', ')
  throw new AmbiguousError(`${found.length} repositories are named "${name}": ${ids}`)
}

async function converge(declared: DeclaredRepositories, step: Step<RepositorySpec>): Promise<void> {
  const { action, liveId, spec, requestId } = step
  const by = byController(requestId)
  // Another directory is another repository: the old index is removed.
  if (action === 'replace') await orMissing(declared.remove(liveId, by))
  const inspected = await orMissing(declared.inspect(liveId))
  if (!inspected) {
    refuseGone(step, 'repository')
    await declared.make(liveId, spec, by)
    return
  }
  const { path: _, ...members } = written(step)
  await orMoved(declared.assign(liveId, members, { by, seen: seenBy(step) }))
}

function healthOf({ repository, progress }: InspectedRepository): Health {
  const { status, error_message } = repository
  if (status === 'error') return { status: 'Degraded', message: error_message ?? 'indexing failed' }
  const { files = 0, files_total: total = null, chunks = 0 } = progress ?? {}
  const note = error_message === null ? '' : `; ${error_message}`
  if (status === 'ready') return { status: 'Ready', message: `indexed: ${files} files, ${chunks} chunks${note}` }
  const far = total === null ? '' : `: ${files} of ${total} files, ${chunks} chunks`
  return { status: 'Progressing', message: status === 'pending' ? 'waiting to be indexed' : `indexing${far}` }
}

function observed(inspected: InspectedRepository): Observed<RepositorySpec, InspectedRepository> {
  const { id, name, path, languages, ignore } = inspected.repository
  const spec = repositoryKind.canonicalise({ name, path, languages, ignore }, NO_CONTEXT)
  return { liveId: id, version: inspected.version, live: inspected, spec }
}
