"""Templates: mechanisms with parameters, one file per template and one line below."""

from engine.registry import Registry
from engine.templates import (
    bennett,
    bricard,
    cardan_shaft,
    door,
    double_wishbone,
    dwell_linkage,
    flyball_governor,
    four_bar,
    gear_train,
    jansen_leg,
    klann_leg,
    net,
    pantograph,
    peaucellier,
    pendulum_chain,
    row_of_four_bars,
    scissor_lift,
    slider_crank,
    stephenson_six_bar,
    stewart_farm,
    stewart_platform,
    tether,
    vehicle,
    watt_six_bar,
)
from engine.templates.base import Fact, Made, Parameter, Template, TemplateError

__all__ = ["TEMPLATES", "Fact", "Made", "Parameter", "Template", "TemplateError"]

# in the order of the dialog
TEMPLATES: Registry[Template] = Registry(
    "template",
    four_bar.TEMPLATE,
    slider_crank.TEMPLATE,
    watt_six_bar.TEMPLATE,
    stephenson_six_bar.TEMPLATE,
    jansen_leg.TEMPLATE,
    klann_leg.TEMPLATE,
    peaucellier.TEMPLATE,
    pantograph.TEMPLATE,
    dwell_linkage.TEMPLATE,
    gear_train.TEMPLATE,
    cardan_shaft.TEMPLATE,
    flyball_governor.TEMPLATE,
    stewart_platform.TEMPLATE,
    stewart_farm.TEMPLATE,
    bennett.TEMPLATE,
    bricard.TEMPLATE,
    double_wishbone.TEMPLATE,
    vehicle.TEMPLATE,
    door.TEMPLATE,
    scissor_lift.TEMPLATE,
    pendulum_chain.TEMPLATE,
    tether.TEMPLATE,
    row_of_four_bars.TEMPLATE,
    net.TEMPLATE,
)
