// Settings of the code index.
import { join, resolve } from 'node:path'
import type { Config } from '../../platform/core/config.ts'
import { choice, number, seconds, text, type Settings, type Values } from '../../platform/service/settings.ts'
import { EMBEDDING_PROVIDERS, type EmbeddingSettings } from './embedding/embedder.ts'
import type { TalkSettings } from './engine/searcher.ts'
import { STORE_CHOICES } from './store/port.ts'

const CODE_MODEL = 'qwen2.5-coder:3b'

export const settings = {
  /** Who embeds. Where nobody chose and nothing listens, the builtin one does. */
  embeddingProvider: choice(EMBEDDING_PROVIDERS, { default: 'local' }),
  embeddingModel: text({ default: 'nomic-embed-text' }),
  /** Base address of an endpoint that speaks as OpenAI's. */
  embeddingEndpoint: text({ default: 'http://127.0.0.1:11434/v1' }),
  /** A request for embeddings may take so long; a question 10 s at most. */
  embeddingTimeoutSecs: seconds({ default: 60, least: 0.1 }),
  /** A model that talks, at the same endpoint, says of each chunk what it does. */
  summaryEnabled: choice(['true', 'false'], { default: 'false' }),
  summaryModel: text({ default: CODE_MODEL }),
  /** A request for summaries may take so long. */
  summaryTimeoutSecs: seconds({ default: 60, least: 0.1 }),
  /** Such a model puts the best results of a search by meaning into order. */
  rerankEnabled: choice(['true', 'false'], { default: 'false' }),
  rerankModel: text({ default: CODE_MODEL }),
  rerankCandidates: number({ default: 30, least: 2, most: 100, whole: true }),
  /** Results keep their order when it takes longer. */
  rerankTimeoutSecs: number({ default: 5, least: 0.1, most: 30 }),
  /** What keeps the chunks. */
  store: choice(STORE_CHOICES, { default: 'files' }),
  /** Folder of the store; relative ones are of the data directory. */
  lancePath: text({ default: 'index' }),
  /** Name of the table, a folder of it. */
  lanceTable: text({ default: 'code_chunks' }),
  /** Between two looks at the files. */
  watchInterval: seconds({ default: 30, least: 1 }),
  languages: text({ default: 'rust,python,javascript,typescript' }),
  ignorePatterns: text({ default: '.git,target,node_modules,dist' }),
  /** What `path` of an agentic search is relative to; `.` is the folder the daemon was started in. */
  workingDir: text({ default: '.' }),
  /** A search by expression is ended after so long. */
  grepTimeoutSecs: seconds({ default: 10, least: 0.1 }),
} satisfies Settings

export type IndexSettings = Values<typeof settings>

export const listOf = (words: string): string[] =>
  words
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

const CHOICES = ['PROVIDER', 'MODEL', 'ENDPOINT'].map((name) => `SVC_INDEX_EMBEDDING_${name}`)

/** `weights` is the file of the builtin embedding. */
export function embeddingOf(values: IndexSettings, { env }: Config, weights: string): EmbeddingSettings {
  return {
    provider: values.embeddingProvider,
    model: values.embeddingModel,
    endpoint: values.embeddingEndpoint,
    key: env.SVC_INDEX_EMBEDDING_KEY || null,
    timeoutMs: values.embeddingTimeoutSecs * 1000,
    chosen: CHOICES.some((name) => env[name] !== undefined && env[name] !== ''),
    weights,
  }
}

export function talkOf(values: IndexSettings, { env }: Config): TalkSettings {
  const at = { endpoint: values.embeddingEndpoint, key: env.SVC_INDEX_EMBEDDING_KEY || null }
  const summary = { ...at, model: values.summaryModel, timeoutMs: values.summaryTimeoutSecs * 1000 }
  const rerank = { ...at, model: values.rerankModel, timeoutMs: values.rerankTimeoutSecs * 1000 }
  return {
    summary: values.summaryEnabled === 'true' ? summary : null,
    rerank: values.rerankEnabled === 'true' ? { ...rerank, candidates: values.rerankCandidates } : null,
  }
}

/** Folder of the store. */
export function storeFolder({ lancePath, lanceTable }: IndexSettings, { dataDir }: Config): string {
  return join(resolve(dataDir, lancePath), lanceTable.replace(/[^\w.-]/g, '_'))
}

export function workingDirectory({ workingDir }: IndexSettings, { env }: Config): string {
  return resolve(env.PWD ?? '/', workingDir)
}
