import type { AgentRecord } from './record.ts'

/** Item of the live topic `pane/<agent id>`. */
export interface AgentPane extends Pick<AgentRecord, 'status'> {
  /** Last lines of the terminal, redacted; empty without a terminal. */
  lines: string
}
