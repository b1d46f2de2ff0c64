/** Services that refused the last call of one service. Shown in /health. */
export class RefusedCalls {
  readonly #self: string
  /** Reasons by the called service. */
  readonly #reasons = new Map<string, string>()

  /** `self`: the calling service. */
  constructor(self: string) {
    this.#self = self
  }

  /** Records a 401 and returns the reason. */
  add(service: string, address: string): string {
    const reason =
      `the ${service} service at ${address} refused the last call of ${this.#self} (401): ` +
      'set SVC_SERVICE_TOKEN_FILE of both processes to the same file'
    this.#reasons.set(service, reason)
    return reason
  }

  clear(service: string): void {
    this.#reasons.delete(service)
  }

  /** Returns extra fields of /health: none, or why the service is degraded and what to do. */
  health(): Record<string, unknown> {
    const refused_calls = [...this.#reasons.values()]
    return refused_calls.length === 0 ? {} : { status: 'degraded', reason: refused_calls.join('; '), refused_calls }
  }
}
