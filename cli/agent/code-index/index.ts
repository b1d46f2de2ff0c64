import { resolve } from 'node:path'
import { Option } from 'commander'
import type { Repository } from '../../../schemas/code-index/repository.ts'
import { SEARCH_MODES } from '../../../schemas/code-index/search.ts'
import * as operations from '../../../schemas/operations/code-index.ts'
import { collect } from '../../options.ts'
import { visible } from '../../output/print.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb } from '../../verb.ts'
import { aRepository } from './subjects.ts'
import { fileText, matchText, repositoryTable, resultText } from './results.ts'

const group = operations.indexOperations

const repositoryLine = ({ id, name, status }: Repository) => `repository ${visible(name)} is ${status} (${id})`

const languages = new Option('--languages <language>', 'Language to index (repeatable)').argParser(collect)
const ignore = new Option('--ignore <pattern>', 'Pattern to ignore (repeatable)').argParser(collect)

const search = verb('search', group, operations.search, {
  args: [{ member: 'query', shown: '<query>', help: 'Description of the code in words, or an identifier' }],
  without: ['repo_id', 'search_mode', 'hierarchy_level', 'limit'],
  more: (command) =>
    command
      .addOption(new Option('--mode <mode>', 'Search mode').choices(SEARCH_MODES).default('vector'))
      .addOption(
        new Option('--level <level>', 'What to search for').choices(['symbol', 'file', 'directory', 'repository']),
      )
      .addOption(new Option('--limit <n>', 'Maximum number of results').argParser(Number).default(10))
      .addOption(new Option('--repo <repository>', 'Only this repository: name or id')),
  request: async (members, { options }) => ({
    ...members,
    search_mode: options.mode,
    hierarchy_level: options.level,
    limit: options.limit,
    ...(options.repo === undefined ? {} : { repo_id: (await aRepository.find(options.repo, options)).id }),
  }),
  examples: [
    'agent index search "where are old archives deleted"',
    'agent index search convertCurrency --mode keyword --language typescript',
    'agent index search "retry with back-off" --mode hybrid --file-pattern "src/**" --limit 5',
  ],
  done: resultText,
})

const searchAgentic = verb('search-agentic', group, operations.searchAgentic, {
  args: [{ member: 'query', shown: '<pattern>', help: 'Basic regular expression, as in grep' }],
  without: ['path'],
  more: (command) => command.option('--path <path>', 'Directory to search', '.'),
  request: (members, { options }) => ({ ...members, path: resolve(options.path) }),
  examples: ['agent index search-agentic "TODO.*retry" --file-pattern "*.ts"'],
  done: matchText,
})

export const index: readonly CommandEntry[] = [
  search,
  searchAgentic,
  verb('add-repo', group, operations.createRepository, {
    without: ['path', 'name'],
    options: { languages, ignore },
    more: (command) =>
      command
        .addOption(new Option('--name <name>', 'Name of the repository').makeOptionMandatory())
        .addOption(new Option('--path <path>', 'Directory of the repository').makeOptionMandatory()),
    request: (members, { options }) => ({ ...members, name: options.name, path: resolve(options.path) }),
    examples: ['agent index add-repo --name svc --path .'],
    done: repositoryLine,
  }),
  verb('list-repos', group, operations.listRepositories, {
    without: ['limit', 'offset'],
    examples: ['agent index list-repos'],
    done: ({ repositories }) => repositoryTable(repositories),
  }),
  verb('get-repo', group, operations.getRepository, {
    subject: aRepository,
    examples: ['agent index get-repo svc'],
  }),
  verb('file', group, operations.readFileLines, {
    subject: aRepository,
    args: [{ member: 'path', shown: '<path>', help: 'Path of the file in the repository' }],
    examples: ['agent index file svc src/archive.ts --from 1 --to 40'],
    done: fileText,
  }),
  verb('update-repo', group, operations.updateRepository, {
    subject: aRepository,
    options: { languages, ignore },
    examples: ['agent index update-repo svc --languages python --ignore "*.generated.py"'],
    done: repositoryLine,
  }),
  {
    name: 'status',
    summary: 'Show or watch the indexing progress of a repository',
    load: () => import('./status.ts'),
  },
  verb('reindex', group, operations.reindexRepository, {
    subject: aRepository,
    examples: ['agent index reindex svc'],
    done: (_reply, { subject }) => `repository ${subject.id} is queued for indexing`,
  }),
  verb('remove-repo', group, operations.deleteRepository, {
    subject: aRepository,
    examples: ['agent index remove-repo svc'],
    done: (_reply, { subject }) => `repository ${subject.id} removed`,
  }),
  healthVerb('index', group, 'Check the health of the code index'),
]
