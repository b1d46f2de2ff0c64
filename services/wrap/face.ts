import type { LaunchReply, LaunchRequest, WrapSession } from '../../schemas/wrap/launch.ts'

export interface Wrap {
  /** Reports failures in the reply. */
  launch(request: LaunchRequest): Promise<LaunchReply>
  /** Newest first, including sessions of other programs. */
  list(): Promise<WrapSession[]>
  get(name: string): Promise<WrapSession>
  /** Throws 404, and 403 unless svc launched the session. */
  end(name: string): Promise<void>
}
