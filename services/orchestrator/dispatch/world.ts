import type { Draining } from './draining.ts'
import type { PromptSender } from './prompt-sender.ts'

export interface DispatchWorld {
  prompts: PromptSender
  draining: Draining
}
