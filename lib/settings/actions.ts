'use server';

import { action } from '@/lib/auth/action';
import { defaultAnchorPlanInput, saveDefaultAnchorPlan } from './anchor-plan';
import {
  createApiKey,
  createApiKeyInput,
  deleteApiKey,
  deleteApiKeyInput,
  updateApiKey,
  updateApiKeyInput,
} from './api-keys';
import { resetBranding, saveBranding } from './branding/save-branding';
import { resetBrandingInput, saveBrandingInput } from './branding/schemas';
import { setFlag, setFlagInput } from './feature-flags';
import { publishLegalDocument } from './legal/documents';
import { publishLegalInput } from './legal/schemas';
import { optionRulesInput, saveOptionRules } from './option-rules';
import { placementRulesInput, savePlacementRules } from './placement-rules';
import {
  createHighlight,
  createHighlightInput,
  deleteHighlight,
  deleteHighlightInput,
  updateHighlight,
  updateHighlightInput,
} from './signup-highlights';

const access = 'ManageSettings';

/** Updates the name, the colours and the logo of all portals. */
export const saveBrandingAction = action({ access, input: saveBrandingInput }, saveBranding);

/** Publishes a version of the terms or the privacy policy, or ends its publication. */
export const publishLegalDocumentAction = action({ access, input: publishLegalInput }, publishLegalDocument);

/** Restores the default branding. */
export const resetBrandingAction = action({ access, input: resetBrandingInput }, resetBranding);

/** Turns a feature flag on or off. */
export const setFlagAction = action({ access, input: setFlagInput }, setFlag);

/** Sets the clocks and limits of placements. */
export const savePlacementRulesAction = action({ access, input: placementRulesInput }, savePlacementRules);

/** Sets what sellers can offer besides a placement. */
export const saveOptionRulesAction = action({ access, input: optionRulesInput }, saveOptionRules);

/** Sets the anchor plan of projects that have none of their own. */
export const saveDefaultAnchorPlanAction = action({ access, input: defaultAnchorPlanInput }, saveDefaultAnchorPlan);

export const createFeatureAction = action({ access, input: createHighlightInput }, createHighlight);
export const updateFeatureAction = action({ access, input: updateHighlightInput }, updateHighlight);
export const deleteFeatureAction = action({ access, input: deleteHighlightInput }, deleteHighlight);

export const createApiKeyAction = action({ access, input: createApiKeyInput }, createApiKey);
export const updateApiKeyAction = action({ access, input: updateApiKeyInput }, updateApiKey);
export const deleteApiKeyAction = action({ access, input: deleteApiKeyInput }, deleteApiKey);
