// Documents: files of the document store; their name is their id.
import { byController, type Observed, type Reconciler, type Step } from '../controller/reconciler.ts'
import { documentKind, type DocumentSpec } from '../schemas/document.ts'
import type { DeclaredDocuments, Docstore, InspectedDocument } from '../services/docstore/face.ts'
import { orMissing } from './missing.ts'
import { orMoved, refuseGone, seenBy, written } from './moved.ts'
import { movementOf } from './movement.ts'

export function documentReconciler({
  declared,
}: Pick<Docstore, 'declared'>): Reconciler<DocumentSpec, InspectedDocument> {
  return {
    definition: documentKind,
    observe: async ({ name }) => {
      const inspected = await orMissing(declared.inspect(name))
      return inspected && observed(inspected)
    },
    observeAll: async () => (await declared.inspectAll()).map(observed),
    apply: async (step) => {
      await converge(declared, step)
      return { liveId: step.name, spec: observed(await declared.inspect(step.name)).spec }
    },
    remove: async ({ name }, requestId) => {
      await orMissing(declared.remove(name, byController(requestId)))
    },
    health: () => ({ status: 'Ready', message: 'kept' }),
    interrupts: () => null,
    writer: (liveId, path) => declared.writer(liveId, path),
    changes: (listener, since) => declared.changes((change) => listener(movementOf(change)), since),
  }
}

async function converge(declared: DeclaredDocuments, step: Step<DocumentSpec>): Promise<void> {
  const { action, name, spec, requestId } = step
  const by = byController(requestId)
  const known = await orMissing(declared.inspect(name))
  if (!known) {
    refuseGone(step, 'document')
    const { name: _, ...members } = spec
    return declared.make(name, members, by)
  }
  // One that somebody made under the name meanwhile is not ours to overwrite.
  const seen = action === 'create' ? spec : step.seen
  const asked = { ...step, seen, members: step.members.filter((member) => member !== 'name') }
  await orMoved(declared.assign(name, written(asked), { by, seen: seenBy(asked) }))
}

function observed(inspected: InspectedDocument): Observed<DocumentSpec, InspectedDocument> {
  const { id, title, content, tags, version } = inspected
  const manifest = { name: id, title, content, tags }
  return { liveId: id, version, live: inspected, spec: documentKind.canonicalise(manifest, NO_CONTEXT) }
}

/** What is live leans on nothing beside it. */
const NO_CONTEXT = null as never
