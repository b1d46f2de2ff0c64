// A GitHub on loopback: REST and GraphQL over one state, with the branches of a real bare repository.
//
// GraphQL runs against GitHub's published schema. REST answers have the types of its OpenAPI description.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Requests } from './requests.ts'
import { type GitHubOptions, GitHubState } from './state.ts'

export const startGitHub = async (options: GitHubOptions): Promise<GitHub> => {
  const github = new GitHub(options)
  await github.listen()
  return github
}

export class GitHub extends GitHubState {
  readonly #server: Server

  constructor(options: GitHubOptions) {
    super(options)
    const requests = new Requests(this)
    this.#server = createServer((request, response) => void requests.serve(request, response))
  }

  async listen(): Promise<void> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v3`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }
}
