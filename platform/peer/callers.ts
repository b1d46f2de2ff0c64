import type { Lineage } from './processes.ts'

export interface Caller {
  /** Null if the agent is unidentified. */
  id: string | null
  /** `agent:builder` */
  actor: string
  may: readonly string[]
}

export interface Callers {
  find(id: string): Promise<Caller | null>
  ofProcess(lineage: Lineage): Promise<Caller | null>
  ofToken(token: string): Promise<Caller | null>
}

/** Followed by the agent's id and a dot. */
export const AGENT_TOKEN = 'agent.'

/** Returns the agent id; null for another kind of token. */
export const agentOfToken = (token: string): string | null =>
  /^agent\.([0-9a-f-]{36})\.[\w-]+$/.exec(token)?.[1] ?? null
