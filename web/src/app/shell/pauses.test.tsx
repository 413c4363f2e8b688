import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { createQueryClient } from '@/shared/api/query-client'
import { renderApp } from '@/shared/testing/render'
import { announcementsQuery } from './announcements'
import { Pauses } from './pauses'

const nothing = { workflows: [], title: { en: '', ko: '' }, text: { en: '', ko: '' } }

function open(path: string) {
  const client = createQueryClient()
  client.setQueryData(announcementsQuery().queryKey, {
    items: [],
    workflowAlert: nothing,
    galleryPause: { en: 'No pictures until noon', ko: '정오까지' },
    requestPause: { en: 'No new models today', ko: '오늘은 새 모델이 없습니다' },
  })
  renderApp(<Pauses />, { client, path })
}

it.each(['/apps', '/create/image'])('that no models are installed stands where people look for one: %s', (path) => {
  open(path)
  expect(screen.getByRole('region', { name: 'Requests for models are suspended' }).textContent).toBe(
    'No new models today',
  )
  expect(screen.queryByText('No pictures until noon')).toBeNull()
})

it('that the gallery takes no pictures stands in the gallery', () => {
  open('/gallery')
  expect(screen.getByText('No pictures until noon')).toBeTruthy()
  expect(screen.queryByText('No new models today')).toBeNull()
})
