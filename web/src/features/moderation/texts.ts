import { addTexts } from '@/shared/i18n/late'
import texts from '@/shared/i18n/locales/en/moderation.json'

addTexts('moderation', texts)
