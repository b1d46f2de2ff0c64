// GraphQL side of the fake GitHub: queries are validated and run against GitHub's published schema.
import { schema as published } from '@octokit/graphql-schema'
import { buildSchema, type DocumentNode, execute, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'
import { costOf } from './graphql-cost.ts'
import { itemView, notFound, repositoryView } from './graphql-views.ts'
import type { Answer } from './rest.ts'
import type { GitHubState } from './state.ts'

let schema: GraphQLSchema | null = null

/** Building takes seconds; once per process. */
function publishedSchema(): GraphQLSchema {
  return (schema ??= buildSchema(published.idl, { assumeValid: true, assumeValidSDL: true }))
}

interface ValidatedQuery {
  document: DocumentNode
  invalid: readonly GraphQLError[]
}

const queries = new Map<string, ValidatedQuery>()

function validated(query: string): ValidatedQuery {
  let known = queries.get(query)
  if (!known) {
    const document = parse(query)
    known = { document, invalid: validate(publishedSchema(), document) }
    queries.set(query, known)
  }
  return known
}

export class GraphQl {
  readonly #github: GitHubState

  constructor(github: GitHubState) {
    this.#github = github
  }

  async answer({ query, variables }: Record<string, unknown>): Promise<Answer> {
    const { document, invalid } = validated(String(query))
    if (invalid.length > 0) return { status: 200, body: { errors: invalid.map(undefinedField) } }
    const given = (variables ?? {}) as Record<string, unknown>
    const cost = costOf(document, given)
    if (cost.nodes > MOST_NODES) return refused(`the query asks for ${cost.nodes} nodes, more than ${MOST_NODES}`)
    const rootValue = this.#root(cost.points)
    const { data, errors } = await execute({ schema: publishedSchema(), document, rootValue, variableValues: given })
    return { status: 200, body: errors ? { data, errors: errors.map(typed) } : { data } }
  }

  #root(points: number) {
    const github = this.#github
    return {
      rateLimit: () => ({
        cost: points,
        remaining: github.limit.remaining,
        limit: 5000,
        used: 5000 - github.limit.remaining,
        nodeCount: 0,
        resetAt: new Date(github.limit.reset * 1000).toISOString(),
      }),
      repository: ({ owner, name, followRenames }: { owner: string; name: string; followRenames: boolean }) => {
        const names = [github.repository, ...(followRenames ? github.formerNames : [])]
        if (!names.some((each) => each.toLowerCase() === `${owner}/${name}`.toLowerCase()))
          throw notFound(`Could not resolve to a Repository with the name '${owner}/${name}'.`)
        return repositoryView(github)
      },
      node: ({ id }: { id: string }) => this.#node(id),
      nodes: ({ ids }: { ids: string[] }) => this.#nodes(ids),
    }
  }

  #nodes(ids: string[]): unknown[] {
    if (ids.length <= MOST_IDS) return ids.map((id) => this.#node(id))
    throw new GraphQLError(`You may not provide more than ${MOST_IDS} node ids; you provided ${ids.length}.`, {
      extensions: { type: 'ARGUMENT_LIMIT' },
    })
  }

  /** Ids: `ITEM_7`, `ROLLUP_7`, `COMMIT_7`. */
  #node(id: string): unknown {
    const [kind, number] = id.split('_')
    const item = this.#github.items.get(Number(number))
    if (!item) throw notFound(`Could not resolve to a node with the global id of '${id}'`)
    const view = itemView(this.#github, item)
    if (kind === 'COMMIT') return view.commit
    return kind === 'ROLLUP' ? view.rollup() : view
  }
}

const MOST_NODES = 500_000
const MOST_IDS = 100

const refused = (message: string): Answer => ({
  status: 200,
  body: { errors: [{ type: 'MAX_NODE_LIMIT_EXCEEDED', message }] },
})

/** GitHub puts the type beside the message. */
function typed(error: GraphQLError): object {
  const { extensions, ...shown } = error.toJSON()
  return { ...shown, type: extensions?.type }
}

const undefinedField = ({ message, locations }: GraphQLError) => ({
  message,
  locations,
  extensions: { code: 'undefinedField' },
})
