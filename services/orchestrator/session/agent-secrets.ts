// Redacts agents' secrets before their output is stored, logged or sent.
import type { Config } from '../../../platform/core/config.ts'
import { Masker } from '../../../platform/secrets/masking/masker.ts'
import { ownSecrets } from '../../../platform/secrets/masking/own-secrets.ts'
import { RecentMap } from '../../../platform/core/recent.ts'
import { MASK } from '../../../schemas/secret.ts'
import type { AgentRow } from '../record/tables.ts'
import { hashOf, toolsToken } from './launch-token.ts'

/** Public protocol keywords, never redacted. */
const PROTOCOL_WORDS: ReadonlySet<string> = new Set(
  `type subtype uuid session_id request_id request response message content role text tool_use tool_result
  tool_use_id name input result is_error errors error usage num_turns total_cost_usd duration_ms duration_api_ms
  input_tokens output_tokens cache_read_input_tokens cache_creation_input_tokens state session_state idle
  running busy requires_action system init bridge session_state_changed assistant user control_request
  control_response control_cancel_request conversation_reset keep_alive stream_event event delta thinking
  partial_json content_block_delta content_block_start content_block_stop text_delta can_use_tool initialize
  interrupt success error_during_execution error_max_turns tool_name capabilities clears_context guarded
  guard_reason agent_version claude_code_version pending_permission_requests origin terminal_reason
  parent_tool_use_id permission_denials tool_input runtime model description`.split(/\s+/),
)

const CUT = '…'

/** Secrets kept per agent: environment values and tokens of its latest launches. */
const MOST_VALUES = 2000

type Known = Pick<AgentRow, 'id' | 'spec' | 'launched' | 'token_hash'>

interface Entry {
  values: RecentMap<true>
  tokenHash: string | null
  masker: Masker | null
}

export class AgentSecrets {
  /** The daemon's own secrets, which a process of the same user can read. */
  readonly #own: readonly string[]
  readonly #agents = new Map<string, Entry>()

  constructor(config: Config) {
    this.#own = ownSecrets(config)
  }

  /** Keeps earlier secrets: the agent may have stored them. */
  learn(agent: Known, token: string | null = null): void {
    const entry = this.#entry(agent.id)
    const environments = [agent.spec.env, agent.launched?.env ?? {}]
    const values = environments.flatMap((env) => Object.values(env).map((value) => value.reveal()))
    for (const value of token === null ? values : [...values, token]) {
      if (entry.values.get(value)) continue
      entry.values.set(value, true)
      entry.masker = null
    }
    // Derived from the stored hash, so known after a daemon restart.
    if (agent.token_hash !== null && agent.token_hash !== entry.tokenHash) {
      entry.values.set(toolsToken(agent.id, agent.token_hash), true)
      entry.masker = null
    }
    entry.tokenHash = agent.token_hash
  }

  forget(agentId: string): void {
    this.#agents.delete(agentId)
  }

  masker(agentId: string): Masker {
    const entry = this.#entry(agentId)
    entry.masker ??= new Masker([...this.#own, ...entry.values.keys()], PROTOCOL_WORDS)
    return entry.masker
  }

  /** Returns the masker of an agent whose secrets may not be known yet. */
  maskerOf(agent: Known): Masker {
    this.learn(agent)
    return this.masker(agent.id)
  }

  maskText(agent: Known, text: string): string {
    return withoutToken(this.maskerOf(agent).mask(text), agent.token_hash)
  }

  /** For text that ends with `…` where it was cut, perhaps within a secret: also drops the start of one. */
  maskCut(agent: Known, text: string): string {
    if (!text.endsWith(CUT)) return this.maskText(agent, text)
    return this.maskText(agent, this.maskerOf(agent).stream().push(text.slice(0, -1))) + CUT
  }

  #entry(agentId: string): Entry {
    let entry = this.#agents.get(agentId)
    if (!entry) {
      entry = { values: new RecentMap(MOST_VALUES), tokenHash: null, masker: null }
      this.#agents.set(agentId, entry)
    }
    return entry
  }
}

/** Redacts tokens issued by an earlier daemon, of which only a hash is stored. */
function withoutToken(text: string, hash: string | null): string {
  if (hash === null) return text
  return text.replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, (word) => (hashOf(word) === hash ? MASK : word))
}
