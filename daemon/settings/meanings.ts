// Meanings of the settings of services, by variable. `docs/configuration.md` explains them.
import type { Meaning } from './declared.ts'

const is = (description: string, unit?: Meaning['unit']): Meaning => ({ description, ...(unit ? { unit } : {}) })

const agents: Readonly<Record<string, Meaning>> = {
  SVC_AGENT_COMMAND: is('Program of the runtime claude-code'),
  SVC_APPROVAL_TIMEOUT_SECS: is('Deadline of an approval', 's'),
  SVC_FORGE_API_URL: is('API of the forge'),
  SVC_ON_RESTART: is('Dispatches in progress when the daemon restarts: adopt, retry or fail'),
  SVC_ORCHESTRATOR_TRANSCRIPT_DAYS: is('Retention of transcripts', 'days'),
  SVC_ORCHESTRATOR_TRANSCRIPT_MB: is('Size of the transcript of one agent', 'MiB'),
  SVC_ORCHESTRATOR_HISTORY_DAYS: is('Retention of ended dispatches, messages and approvals', 'days'),
}

const controller: Readonly<Record<string, Meaning>> = {
  SVC_DRAIN_TIMEOUT_SECS: is('How long a manifest change waits for a busy agent', 's'),
  SVC_OBSERVE_TIMEOUT_SECS: is('Time-out of an observation; then the state is unknown', 's'),
  SVC_APPLY_TIMEOUT_SECS: is('Time-out of one change; then its step fails', 's'),
  SVC_SETTLE_SECS: is('How long a watched folder must be unchanged before it is read', 's'),
  SVC_WIDENING: is('Whether changes that widen rights are held for a confirmation or only marked'),
}

const others: Readonly<Record<string, Meaning>> = {
  SVC_WRAP_ALPHA_CODE_COMMAND: is('Program of the agent type alpha-code'),
  SVC_WRAP_BETA_COMMAND: is('Program of the agent type beta'),
  SVC_WRAP_GAMMA_CODE_COMMAND: is('Program of the agent type gamma-code'),
  SVC_WRAP_DELTA_COMMAND: is('Program of the agent type delta'),
  SVC_WRAP_GENERAL_COMMAND: is('Program of the agent type general'),
  SVC_WRAP_START_SECS: is('How long a program must live to count as started', 's'),
  SVC_ASK_COOLDOWN_SECS: is('Delay before a check asks again, and deadline of its question', 's'),
  SVC_COLLECTION_INTERVAL_SECS: is('Interval of the monitor', 's'),
  SVC_CPU_ALERT_THRESHOLD: is('Use of the processors above which an alert is raised', '%'),
  SVC_MEMORY_ALERT_THRESHOLD: is('Use of the memory above which an alert is raised', '%'),
  SVC_DISK_ALERT_THRESHOLD: is('Use of a disk above which an alert is raised', '%'),
  SVC_HISTORY_SIZE: is('Collections that the monitor keeps in memory'),
  SVC_NOTIFY_CLEANUP_SECS: is('Interval of the cleanup of expired notifications', 's'),
  SVC_COMMUNICATE_SENDS_PER_SEC: is('Messages per second and sender; twice as many in a burst'),
  SVC_COMMUNICATE_LOCK_SECS: is('Expiry of a lock in a room', 's'),
  DOCSTORE_DOCUMENTS_PATH: is('Folder of the documents, relative to the data folder'),
  DOCSTORE_DOCUMENTS_ENABLED: is('Whether there are documents'),
  SVC_DOCSTORE_SCAN_SECS: is('Interval of a full scan of the documents', 's'),
  SVC_DOCSTORE_EMBEDDING_ENDPOINT: is('Endpoint to search memories by meaning'),
  SVC_DOCSTORE_EMBEDDING_MODEL: is('Model of that endpoint'),
  SVC_DOCSTORE_EMBEDDING_KEY_VARIABLE: is('Name of the variable with its key'),
}

const conductor: Readonly<Record<string, Meaning>> = {
  SVC_CONDUCTOR_REPOSITORY: is('Repository of requests that name none'),
  SVC_CONDUCTOR_REMOTE: is('Git address of the repository; none: the one that the forge gives'),
  SVC_PIPELINE_BASE: is('Branch that pull requests are merged into besides the default branch'),
  SVC_CONDUCTOR_MENTION: is('Name put before texts that want a person'),
  SVC_CONDUCTOR_REVIEWERS: is('Logins whose reviews count though they may not write'),
}

const limits: Readonly<Record<string, Meaning>> = {
  SVC_LIMIT_PENDING_APPROVALS: is('Most pending approvals of an agent'),
  SVC_LIMIT_WAITING_MESSAGES: is('Most queued messages from an agent'),
  SVC_LIMIT_QUEUE_PUSHES_PER_SEC: is('Pushes per second to all queues; twice as many in a burst'),
  SVC_LIMIT_MEMORIES: is('Most memories of an agent'),
  SVC_LIMIT_DOCUMENTS: is('Most documents that an agent was the last agent to write'),
  SVC_LIMIT_DOCUMENTS_MIB: is('Their size with revisions', 'MiB'),
  SVC_LIMIT_OPEN_NOTIFICATIONS: is('Most open notifications from an agent'),
  SVC_LIMIT_ROOMS: is('Most rooms that an agent has created'),
}

const index: Readonly<Record<string, Meaning>> = {
  SVC_INDEX_EMBEDDING_PROVIDER: is('Provider of embeddings: local, hosted or builtin'),
  SVC_INDEX_EMBEDDING_MODEL: is('Embedding model of the endpoint'),
  SVC_INDEX_EMBEDDING_ENDPOINT: is('Base address of an OpenAI-compatible endpoint'),
  SVC_INDEX_EMBEDDING_TIMEOUT_SECS: is('Time-out of one request to it', 's'),
  SVC_INDEX_SUMMARY_ENABLED: is('Whether a model summarises each chunk'),
  SVC_INDEX_SUMMARY_MODEL: is('Model for summaries'),
  SVC_INDEX_SUMMARY_TIMEOUT_SECS: is('Time-out of a batch of eight summaries', 's'),
  SVC_INDEX_RERANK_ENABLED: is('Whether a model sorts the best results'),
  SVC_INDEX_RERANK_MODEL: is('Model for sorting'),
  SVC_INDEX_RERANK_CANDIDATES: is('Results to sort'),
  SVC_INDEX_RERANK_TIMEOUT_SECS: is('Time-out of sorting', 's'),
  SVC_INDEX_STORE: is('Store of the chunks: files, lancedb or auto'),
  SVC_INDEX_LANCE_PATH: is('Folder of the store, relative to the data folder'),
  SVC_INDEX_LANCE_TABLE: is('Name of the table, or of the folder of files'),
  SVC_INDEX_WATCH_INTERVAL: is('Time between two scans of repositories', 's'),
  SVC_INDEX_TIMEOUT_SECS: is('Time without progress after which indexing a repository is stopped', 's'),
  SVC_INDEX_LANGUAGES: is('Indexed languages'),
  SVC_INDEX_IGNORE_PATTERNS: is('Patterns that are ignored everywhere'),
  SVC_INDEX_WORKING_DIR: is('Base of the path of an agentic search'),
  SVC_INDEX_GREP_TIMEOUT_SECS: is('Time-out of an agentic search', 's'),
}

export const meanings: Readonly<Record<string, Meaning>> = {
  ...agents,
  ...controller,
  ...others,
  ...conductor,
  ...limits,
  ...index,
}
