// Dispatch: gives an agent its work, one prompt at a time, and decides what becomes of it when the daemon restarts.
import type { Draining } from './draining.ts'
import type { PromptSender } from './prompt-sender.ts'

export interface DispatchWorld {
  prompts: PromptSender
  draining: Draining
}
