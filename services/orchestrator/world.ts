// All that the rooms of the orchestrator lean on, together; only the files beside this one know it.
import type { AgentsWorld } from './agents/world.ts'
import type { Transcript } from './events/transcript.ts'
import type { RoomsWorld } from './rooms/world.ts'
import type { WorkflowsWorld } from './workflows/world.ts'

export interface OrchestratorWorld extends AgentsWorld, RoomsWorld, WorkflowsWorld {
  transcript: Transcript
}
