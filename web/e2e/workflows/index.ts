import type { Sample } from './build'
import details from './details'
import prompts from './prompts'
import subgraphs from './subgraphs'
import first from './years-2023'
import second from './years-2024'

export const SAMPLES: Sample[] = [...first, ...second, ...subgraphs, ...details, ...prompts]
