import { join, resolve } from 'node:path'
import type { Config } from '../../platform/core/config.ts'
import { choice, number, seconds, text, type Settings, type Values } from '../../platform/service/settings.ts'
import { EMBEDDING_PROVIDERS, type EmbeddingSettings } from './embedding/embedder.ts'
import type { TalkSettings } from './engine/searcher.ts'
import { STORE_CHOICES } from './store/port.ts'

const CODE_MODEL = 'qwen2.5-coder:3b'

export const settings = {
  /** Without an explicit choice, `builtin` replaces an unreachable endpoint. */
  embeddingProvider: choice(EMBEDDING_PROVIDERS, { default: 'local' }),
  embeddingModel: text({ default: 'nomic-embed-text' }),
  /** Base URL of an OpenAI-compatible endpoint. */
  embeddingEndpoint: text({ default: 'http://127.0.0.1:11434/v1' }),
  /** Per request; at most 10 s for a query. */
  embeddingTimeoutSecs: seconds({ default: 60, least: 0.1 }),
  /** Adds summaries of chunks by a chat model at the same endpoint. */
  summaryEnabled: choice(['true', 'false'], { default: 'false' }),
  summaryModel: text({ default: CODE_MODEL }),
  /** Per request. */
  summaryTimeoutSecs: seconds({ default: 60, least: 0.1 }),
  /** Reranks results of searches by meaning with a chat model. */
  rerankEnabled: choice(['true', 'false'], { default: 'false' }),
  rerankModel: text({ default: CODE_MODEL }),
  rerankCandidates: number({ default: 30, least: 2, most: 100, whole: true }),
  /** After this time, results keep their order. */
  rerankTimeoutSecs: number({ default: 5, least: 0.1, most: 30 }),
  store: choice(STORE_CHOICES, { default: 'files' }),
  /** Folder of the store; a relative path is resolved against the data folder. */
  lancePath: text({ default: 'index' }),
  /** Table of LanceDB, or folder of the file store. */
  lanceTable: text({ default: 'code_chunks' }),
  /** Time without progress after which indexing a repository is stopped. */
  timeoutSecs: seconds({ default: 300, least: 1 }),
  /** Between two scans. */
  watchInterval: seconds({ default: 30, least: 1 }),
  languages: text({ default: 'rust,python,javascript,typescript' }),
  ignorePatterns: text({ default: '.git,target,node_modules,dist' }),
  /** Base of `path` in agentic searches; default: the directory that the daemon was started in, unless it holds a home. */
  workingDir: text({ default: '.' }),
  grepTimeoutSecs: seconds({ default: 10, least: 0.1 }),
} satisfies Settings

export type IndexSettings = Values<typeof settings>

export const listOf = (words: string): string[] =>
  words
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

/** Which files of a repository are indexed. */
export const indexedFiles = (
  { languages, ignore }: { languages: string[] | null; ignore: string[] },
  values: IndexSettings,
): { languages: string[]; patterns: string[] } => ({
  languages: languages ?? listOf(values.languages),
  patterns: [...listOf(values.ignorePatterns), ...ignore],
})

const CHOICES = ['PROVIDER', 'MODEL', 'ENDPOINT'].map((name) => `SVC_INDEX_EMBEDDING_${name}`)

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

export function storeFolder({ lancePath, lanceTable }: IndexSettings, { dataDir }: Config): string {
  return join(resolve(dataDir, lancePath), lanceTable.replace(/[^\w.-]/g, '_'))
}

export function workingDirectory(
  { workingDir }: IndexSettings,
  { env }: Config,
): { working: string; isChosen: boolean } {
  return { working: resolve(env.PWD ?? '/', workingDir), isChosen: Boolean(env.SVC_INDEX_WORKING_DIR) }
}
