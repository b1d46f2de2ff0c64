// The code index with a tree to index and a stub embedding endpoint.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { indexRoutes } from '../../../api/code-index.ts'
import { indexWeights } from '../../../daemon/package-root.ts'
import { services } from '../../../daemon/services.ts'
import { serve } from '../../../platform/service/define.ts'
import type { Repository, RepositoryState } from '../../../schemas/code-index/repository.ts'
import { index } from '../../../services/code-index/service.ts'
import { eventually } from '../../support/eventually.ts'
import { ask as askUrl, type Reply } from '../../support/http.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

export interface IndexStand extends ServiceStand {
  ask<T = any>(request: string, body?: unknown): Promise<Reply<T>>
  /** Registers a directory and waits until it is ready. */
  indexed(path: string, more?: object): Promise<Repository>
  /** Waits for this status. */
  settled(id: string, status: RepositoryState['status']): Promise<RepositoryState>
}

/** `program` replaces the built program of the threads. */
export async function startIndex(url: string, env: Record<string, string> = {}, program?: string): Promise<IndexStand> {
  const own = () => [
    serve(index, indexRoutes, {
      parts: () => ({ program: program!, weights: indexWeights(), directoriesOf: async () => null }),
    }),
  ]
  const served = program ? own() : services({ sources: [] }).filter(({ name }) => name === 'index')
  const all = { SVC_INDEX_WATCH_INTERVAL: '3600', ...env }
  const stand = await startServices(served, { url, env: all })
  const ask: IndexStand['ask'] = (request, body) => {
    const [method, path] = request.split(' ') as [string, string]
    return askUrl(method, stand.host.urls.index! + path, body)
  }
  const settled: IndexStand['settled'] = async (id, status) => {
    let state!: RepositoryState
    await eventually(async () => {
      state = (await ask(`GET /repositories/${id}/status`)).body
      if (status !== 'error' && state.status === 'error') throw new Error(state.error_message!)
      return state.status === status
    })
    return state
  }
  const indexed: IndexStand['indexed'] = async (path, more = {}) => {
    const { body } = await ask<Repository>('POST /repositories', { name: 'tree', path, ...more })
    await settled(body.id, 'ready')
    return body
  }
  return Object.assign(stand, { ask, settled, indexed })
}

export interface Tree {
  path: string
  write(file: string, text: string | Buffer): void
  remove(): void
}

export function makeTree(files: Record<string, string | Buffer>): Tree {
  const path = mkdtempSync(join(tmpdir(), 'svc-tree-'))
  const write = (file: string, text: string | Buffer) => {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), text)
  }
  for (const [file, text] of Object.entries(files)) write(file, text)
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export const SAMPLE = {
  'src/money.ts': `import { Bank } from './bank.ts'

/** Converts an amount of one currency to another at the rate of the day. */
export function convertCurrency(amount: number, from: string, to: string): number {
  const rate = Bank.rate(from, to)
  return amount * rate
}

export class Purse {
  #coins: number[] = []
  /** Puts a coin in. */
  add(coin: number): void {
    this.#coins.push(coin)
  }
  total(): number {
    return this.#coins.reduce((sum, coin) => sum + coin, 0)
  }
}
`,
  'src/bank.ts': `export const Bank = {
  rate(from: string, to: string): number {
    return from === to ? 1 : 2
  },
}
`,
  'tools/clean.py': `import shutil


def remove_old_archives(folder, days):
    """Delete archives that are older than so many days."""
    for archive in folder.iterdir():
        if archive.age > days:
            shutil.rmtree(archive)


class Broom:
    def sweep(self):
        return 'dust'
`,
  'core/lib.rs': `/// A queue that keeps what was pushed first in front.
pub struct Queue<T> {
    items: Vec<T>,
}

impl<T> Queue<T> {
    /// Adds to the end of the queue.
    pub fn enqueue(&mut self, item: T) {
        self.items.push(item);
    }
}
`,
  'node_modules/left/pad.js': 'export function leftPad() { return convertCurrency() }\n',
  'dist/bundle.js': 'export function convertCurrency() {}\n',
}

/** Texts with common words get similar vectors. The model `wide` returns longer vectors. */
export interface StubEndpoint {
  url: string
  /** Behaviour of later responses. */
  answer: 'well' | 'busy' | 'down' | 'nan' | 'short' | 'zero' | 'garbage' | 'silent' | 'half' | 'endless'
  /** Texts received for embedding. */
  texts: string[]
  /** Response of the chat model; a number is a status, null never responds. */
  talk(chat: ChatRequest): unknown
  chats: ChatRequest[]
  /** Bytes sent of endless responses. */
  sent: number
  /** Delay of responses in milliseconds. */
  delayMs: number
  close(): Promise<void>
}

export interface ChatRequest {
  model: string
  task: string
  material: string
  key: string | undefined
}

/** Wraps the content of a chat model response. */
export const said = (content: unknown): unknown => ({
  choices: [{ message: { content: typeof content === 'string' ? content : JSON.stringify(content) } }],
})

/** A stub of OpenAI's endpoint: a vector per text, from its words. */
export async function startEndpoint(): Promise<StubEndpoint> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text) => (body += text))
    request.on('end', () => {
      const { input, model, messages } = JSON.parse(body) as { input: string[]; model: string; messages: any[] }
      const reply = (status: number, answer: unknown) =>
        setTimeout(() => {
          response.writeHead(status, { 'content-type': 'application/json' })
          response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
        }, stub.delayMs)
      if (request.url!.endsWith('/chat/completions')) {
        const [task, material] = messages.map(({ content }) => content as string) as [string, string]
        stub.chats.push({ model, task, material, key: request.headers.authorization })
        const answer = stub.talk(stub.chats.at(-1)!)
        if (answer === null) return
        return typeof answer === 'number' ? reply(answer, { error: 'no' }) : reply(200, answer)
      }
      if (stub.answer === 'busy') return reply(429, { error: 'later' })
      if (stub.answer === 'down') return reply(404, { error: 'model "nomic-embed-text" not found' })
      if (stub.answer === 'silent') return
      if (stub.answer === 'half') return void response.writeHead(200).write('{"data": [')
      if (stub.answer === 'endless') return endless(response.writeHead(404))
      if (stub.answer === 'garbage') return reply(200, '{"data": [')
      stub.texts.push(...input)
      reply(200, { data: input.map((text, index) => ({ index, embedding: vectorOf(text, model) })) })
    })
  })
  const endless = (response: ServerResponse): void => {
    const more = () => {
      stub.sent += 65_536
      if (!response.destroyed) response.write('x'.repeat(65_536), () => setTimeout(more, 1))
    }
    more()
  }
  const vectorOf = (text: string, model: string): (number | string)[] => {
    const dim = model === 'wide' ? 96 : 64
    const vector = Array.from({ length: stub.answer === 'short' ? dim - 1 : dim }, () => 0)
    if (stub.answer === 'nan') return vector.map(() => 'NaN')
    if (stub.answer === 'zero') return vector
    for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
      const at = Array.from(word).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % vector.length
      vector[at]!++
    }
    return vector
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stub: StubEndpoint = {
    url: `http://127.0.0.1:${port}/v1`,
    answer: 'well',
    texts: [],
    chats: [],
    talk: () => 404,
    sent: 0,
    delayMs: 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return stub
}
