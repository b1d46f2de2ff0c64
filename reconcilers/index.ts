// All kinds, in order of application. A new kind adds one line here.
import type { Reconciler } from '../controller/reconciler.ts'
import type { Communicate } from '../services/communicate/face.ts'
import type { Docstore } from '../services/docstore/face.ts'
import type { CodeIndex } from '../services/code-index/face.ts'
import type { Orchestrator } from '../services/orchestrator/face.ts'
import { agentReconciler } from './agent.ts'
import { documentReconciler } from './document.ts'
import { policyReconciler } from './policy.ts'
import { repositoryReconciler } from './repository.ts'
import { roomReconciler } from './room.ts'
import { workflowReconciler } from './workflow.ts'

export function createReconcilers(
  orchestrator: Orchestrator,
  communicate: Pick<Communicate, 'declared'>,
  docstore: Pick<Docstore, 'documents' | 'writer' | 'changes'>,
  index: Pick<CodeIndex, 'declared'>,
): Reconciler[] {
  return [
    policyReconciler(orchestrator),
    roomReconciler(communicate),
    documentReconciler(docstore),
    repositoryReconciler(index),
    agentReconciler(orchestrator),
    workflowReconciler(orchestrator),
  ]
}
