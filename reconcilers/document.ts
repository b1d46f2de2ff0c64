// The name of a document is its id.
import { byController, type Observed, type Reconciler, type Step } from '../controller/reconciler.ts'
import { documentKind, type DocumentSpec } from '../schemas/document.ts'
import type { Docstore, InspectedDocument } from '../services/docstore/face.ts'
import { NO_CONTEXT, movementOf, orMissing, orMoved, refuseGone, seenBy, written } from './service-calls.ts'

type DocumentWorld = Pick<Docstore, 'documents' | 'writer' | 'changes'>

export function documentReconciler({
  documents,
  writer,
  changes,
}: DocumentWorld): Reconciler<DocumentSpec, InspectedDocument> {
  return {
    definition: documentKind,
    observe: async ({ name }) => {
      const inspected = await orMissing(documents().inspect(name))
      return inspected && observed(inspected)
    },
    observeAll: async () => (await documents().inspectAll()).map(observed),
    apply: async (step) => {
      await converge(documents(), step)
      return { liveId: step.name, spec: observed(await documents().inspect(step.name)).spec }
    },
    remove: async ({ name }, requestId) => {
      await orMissing(documents().delete(name, byController(requestId)))
    },
    health: () => ({ status: 'Ready', message: 'stored' }),
    interrupts: () => null,
    writer,
    changes: (listener, since) => changes((change) => listener(movementOf(change)), since),
  }
}

async function converge(documents: ReturnType<Docstore['documents']>, step: Step<DocumentSpec>): Promise<void> {
  const { action, name, spec, requestId } = step
  const by = byController(requestId)
  const known = await orMissing(documents.inspect(name))
  if (!known) {
    refuseGone(step, 'document')
    const { name: _, ...members } = spec
    return documents.make(name, members, by)
  }
  // Does not overwrite a document created meanwhile.
  const seen = action === 'create' ? spec : step.seen
  const asked = { ...step, seen, members: step.members.filter((member) => member !== 'name') }
  await orMoved(documents.update(name, written(asked), by, seenBy(asked)))
}

function observed(inspected: InspectedDocument): Observed<DocumentSpec, InspectedDocument> {
  const { id, title, content, tags, version } = inspected
  const manifest = { name: id, title, content, tags }
  return { liveId: id, version, live: inspected, spec: documentKind.canonicalise(manifest, NO_CONTEXT) }
}
