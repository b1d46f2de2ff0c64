export type SandboxFaultCode =
  | 'sandbox-unavailable'
  | 'sandbox-refused'
  | 'sandbox-unsupported'
  | 'sandbox-path-missing'
  | 'sandbox-path-closed'
  | 'sandbox-path-linked'
  | 'sandbox-too-wide'
  | 'sandbox-failed'

/** Why a program cannot start in the sandbox that is written. */
export class SandboxFault extends Error {
  override readonly name = 'SandboxFault'
  readonly code: SandboxFaultCode
  /** The next step. */
  readonly hint: string

  constructor(code: SandboxFaultCode, message: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}
