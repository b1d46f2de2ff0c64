// What a program can do, told to the orchestrator as facts, so that nobody else compares versions.
import type { Launch } from '../schemas/agent/launch.ts'
import { clearsContext } from './claude-code.ts'

export interface Capabilities {
  /** `/clear` empties the conversation; else only a new process does. */
  clears_context: boolean
}

/** A program that speaks our protocol clears by it. Of the real CLI the version decides; an unknown one does not. */
export function capabilitiesOf(runtime: Launch['runtime'], version: string | null): Capabilities {
  return { clears_context: runtime !== 'claude-code' || clearsContext(version) }
}
