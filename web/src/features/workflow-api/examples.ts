import { isUpload } from '@/shared/ui/schema-form/is-upload'
import type { FormField, ReadForm } from '@/shared/ui/schema-form/read-form'

export const LANGUAGES = ['curl', 'python', 'typescript'] as const
export type ExampleLanguage = (typeof LANGUAGES)[number]

/** A file is sent as the id of its upload. */
const FILE = '00000000-0000-0000-0000-000000000000'

type Body = Record<string, string | number | boolean>

/** An accepted value: the form's default, else the smallest that fits. */
function exampleValue(field: FormField): string | number | boolean {
  if (field.default !== undefined) return field.default
  if (isUpload(field.widget)) return FILE
  if (field.widget === 'seed') return -1
  if (field.options?.[0] !== undefined) return field.options[0]
  if (field.type === 'boolean') return false
  return field.type === 'string' ? '' : (field.minimum ?? 0)
}

export const bodyOf = (form: ReadForm): Body =>
  Object.fromEntries(form.fields.map((field) => [field.name, exampleValue(field)]))

/** A call that names a version runs that one, also after later saves. */
const inVersion = (version: string | null): string => (version === null ? '' : `/version/${version}`)

export const runAddress = (origin: string, api: string, version: string | null): string =>
  `${origin}/api/general/job/workflow-api/${api}${inVersion(version)}`

export const documentPath = (api: string, version: string | null): string =>
  `/api/general/workflow-api/${encodeURIComponent(api)}${inVersion(version)}/openapi`

export const submitted = (form: ReadForm) => {
  const seeds = form.fields.filter(({ widget }) => widget === 'seed').map(({ name }) => [name, 1234567890])
  return { _id: FILE, status: 'Pending', seeds: Object.fromEntries(seeds), nodeErrors: {}, workers: 1 }
}

type Call = { origin: string; api: string; version: string | null; body: Body }

/** The same run in each language: submit, wait for the end, get the outputs. */
export function exampleOf(language: ExampleLanguage, call: Call): string {
  return { curl, python, typescript }[language](call)
}

const inShell = (text: string) => text.replaceAll("'", `'\\''`)

function curl({ origin, api, version, body }: Call): string {
  return `KEY='vg_...'

# run it
curl -s '${runAddress(origin, api, version)}' \\
  -H "api-key: $KEY" -H 'content-type: application/json' \\
  -d '${inShell(JSON.stringify(body, null, 2))}'

# with the "_id" of the answer: where it is, and what it made
curl -s "${origin}/api/general/job/JOB_ID/status" -H "api-key: $KEY"
curl -s "${origin}/api/general/job/JOB_ID/api-outputs" -H "api-key: $KEY"`
}

/** JSON as Python syntax. Strings stay unchanged. */
function inPython(value: Body): string {
  const lines = Object.entries(value).map(([name, inner]) => {
    const literal = typeof inner === 'boolean' ? (inner ? 'True' : 'False') : JSON.stringify(inner)
    return `    ${JSON.stringify(name)}: ${literal},`
  })
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n}`
}

function python({ origin, api, version, body }: Call): string {
  return `import time
import requests

SERVER = ${JSON.stringify(origin)}
ACTIVE = {"Pending", "Connecting", "Connected", "Running"}
api = requests.Session()
api.headers["api-key"] = "vg_..."

values = ${inPython(body)}
job = api.post(f"${runAddress('{SERVER}', api, version)}", json=values)
job.raise_for_status()
job_id = job.json()["_id"]

while True:
    status = api.get(f"{SERVER}/api/general/job/{job_id}/status").json()["status"]
    if status not in ACTIVE:
        break
    time.sleep(2)

print(status)
for output in api.get(f"{SERVER}/api/general/job/{job_id}/api-outputs").json():
    print(output["name"], output["outputs"])`
}

function typescript({ origin, api, version, body }: Call): string {
  return `const server = ${JSON.stringify(origin)}
const headers = { 'api-key': 'vg_...', 'content-type': 'application/json' }
const active = ['Pending', 'Connecting', 'Connected', 'Running']
const ask = async (path: string, init?: RequestInit) => {
  const answer = await fetch(\`\${server}/api/general/job/\${path}\`, { headers, ...init })
  if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`)
  return answer.json()
}

const values = ${JSON.stringify(body, null, 2)}
const job = await ask('workflow-api/${api}${inVersion(version)}', { method: 'POST', body: JSON.stringify(values) })

let status = job.status
while (active.includes(status)) {
  await new Promise((next) => setTimeout(next, 2000))
  status = (await ask(\`\${job._id}/status\`)).status
}

console.log(status)
for (const output of await ask(\`\${job._id}/api-outputs\`)) console.log(output.name, output.outputs)`
}
