// The face of the session launch: what its routes may ask of it.
import type { LaunchReply, LaunchRequest, WrapSession } from '../../schemas/wrap/launch.ts'

export interface Wrap {
  /** Never throws for what cannot be launched: the reply says why. */
  launch(request: LaunchRequest): Promise<LaunchReply>
  /** Newest first, those that a person started too. */
  list(): Promise<WrapSession[]>
  /** Throws 404. */
  get(name: string): Promise<WrapSession>
  /** Throws 404, and 403 for a session that was not launched here. */
  end(name: string): Promise<void>
}
