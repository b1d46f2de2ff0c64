// Every kind the controller converges, in the order it applies them. Adding a kind adds one word here.
import type { Reconciler } from '../controller/reconciler.ts'
import type { Orchestrator } from '../services/orchestrator/face.ts'
import { agentReconciler } from './agent.ts'
import { policyReconciler } from './policy.ts'
import { workflowReconciler } from './workflow.ts'

export function createReconcilers(orchestrator: Orchestrator): Reconciler[] {
  return [policyReconciler(orchestrator), agentReconciler(orchestrator), workflowReconciler(orchestrator)]
}
